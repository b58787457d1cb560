import { announce, button, Reading, Screen } from '../elements/page.ts'
import '../forms/secret.ts'
import { css, html, nothing, svg } from 'lit'
import type { serverFiguresShape } from '../../../src/http/shapes/directory/server-figures.ts'
import type { ValueOf } from '../../../src/http/shapes/shape.ts'
import { renderTable } from '../elements/lists/table.ts'
import { base } from '../navigation/navigation.ts'
import { call } from '../session/session.ts'
import { formatNumber } from '../texts/formats.ts'
import { ofSystem as t } from '../texts/rooms.ts'
import { presentLanguage } from '../texts/texts.ts'
import { barsOf, unitOf } from './bars.ts'

type Figures = ValueOf<typeof serverFiguresShape>

/** Height of the chart, and width of each bar with the gap after it. */
const chart = { height: 80, step: 8, bar: 6 }

/** State of the server, for the administrator of its operator. */
class System extends Screen {
  static override styles = css`
    svg {
      display: block;
      width: 100%;
      height: 8rem;
      direction: ltr;
    }
    .done {
      --part: var(--wa-color-brand-fill-loud);
    }
    .refused {
      --part: var(--wa-color-warning-fill-loud);
    }
    .failed {
      --part: var(--wa-color-danger-fill-loud);
    }
    rect {
      fill: var(--part);
    }
    .ground {
      stroke: var(--wa-color-neutral-border-normal);
    }
    .scroll th,
    .scroll td {
      white-space: nowrap;
    }
    td.number,
    th.number {
      text-align: end;
      font-variant-numeric: tabular-nums;
    }
    .key::before {
      content: '';
      display: inline-block;
      width: 0.75rem;
      height: 0.75rem;
      margin-inline-end: 0.375rem;
      border-radius: 0.125rem;
      background: var(--part);
      /* As the bars, which keep their colours. */
      forced-color-adjust: none;
    }
    @media (forced-colors: active) {
      .ground {
        stroke: CanvasText;
      }
    }
  `

  readonly #shown = new Reading(this, {
    args: () => [],
    task: async (_, { signal }) => {
      const [figures, health] = await Promise.all([
        call<Figures>('/portals/self/serverFigures', {}, { signal }),
        fetch(new URL('health/ready', base), { signal, credentials: 'omit' }),
      ])
      return { figures, isReady: health.ok }
    },
  })

  override render() {
    return html`<cartulary-heading text=${t('title')} note=${t('note')}>
        ${button(t('refresh'), { icon: 'refresh', class: 'no-print', onClick: this.#refresh })}
      </cartulary-heading>
      ${this.#shown.showLatest(({ figures, isReady }) => this.#renderShown(figures, isReady))}`
  }

  #renderShown(figures: Figures, isReady: boolean) {
    const { database, queues, limitsReached } = figures
    const row = (name: string, value: unknown) =>
      html`<dt>${name}</dt><dd>${typeof value === 'string' ? html`<bdi>${value}</bdi>` : value}</dd>`
    return html`<div class="stack">
      ${figures.attention.map(renderAttention)}
      ${this.#renderLastHour(figures.lastHour)}
      <div class="sides">
        <section class="panel stack">
          <h2>${t('server')}</h2>
          <dl class="facts">
            ${row(t('health'), html`<wa-tag size="s" variant=${isReady ? 'success' : 'danger'}>${t(isReady ? 'ready' : 'notReady')}</wa-tag>`)}
            ${row(t('version'), figures.version)} ${row('Node.js', figures.node)} ${row(t('address'), base.href)}
            ${row(
              t('started'),
              html`<cartulary-moment value=${figures.started}></cartulary-moment>
                <cartulary-moment class="quiet" value=${figures.started} distance></cartulary-moment>`,
            )}
            ${row(t('memory'), formatBytes(figures.memory))}
          </dl>
          <cartulary-own-key label=${t('fingerprint')}></cartulary-own-key>
        </section>
        <section class="panel stack">
          <h2>${t('database')}</h2>
          <dl class="facts">
            ${row(t('engine'), placeOf(database.description))} ${row(t('size'), formatBytes(database.bytes))}
            ${row(t('free'), formatBytes(database.freeBytes))}
            ${row(t('migrations'), t('migrationsWords', { count: database.migrations, last: database.lastMigration }))}
            ${row(t('organizations'), formatNumber(database.organizations))}
            ${row(t('schemaVersions'), formatNumber(database.schemaVersions))}
            ${row(t('auditEntries'), formatNumber(database.auditEntries))}
          </dl>
        </section>
        <section class="panel stack">
          <h2>${t('backup')}</h2>
          <p>${t('backupText')}</p>
          <p><code>cartulary backup /backups/cartulary.db</code></p>
          <p class="quiet">${t('backupSecret')}</p>
        </section>
        <section class="panel stack">
          <h2>${t('queues')}</h2>
          <dl class="facts">
            ${row(t('connections'), t('connectionsWords', { open: queues.openConnections, idle: queues.idleConnections }))}
            ${row(t('waiting'), formatNumber(queues.waiting))} ${row(t('retries'), formatNumber(queues.retries))}
          </dl>
        </section>
        <section class="panel stack">
          <h2>${t('limits')}</h2>
          ${limitsReached.length === 0 ? html`<p class="quiet">${t('noLimits')}</p>` : renderLimits(limitsReached)}
        </section>
      </div>
    </div>`
  }

  #renderLastHour({ minutes, kinds }: Figures['lastHour']) {
    const total = minutes.reduce((sum, { requests }) => sum + requests, 0)
    const max = Math.max(0, ...minutes.map(({ requests }) => requests))
    const last = minutes.at(-1)?.requests ?? 0
    const milliseconds = (value: number | null) =>
      value === null ? nothing : t('milliseconds', { value: formatNumber(value) })
    return html`<section class="panel stack">
      <h2>${t('lastHour')}</h2>
      <p>${t('total', { count: total })}</p>
      <svg
        role="img" aria-label=${t('chart', { max, last })} preserveAspectRatio="none"
        viewBox="0 0 ${minutes.length * chart.step} ${chart.height}"
      >
        ${barsOf(minutes).map((bar, position) => renderBar(bar, position * chart.step))}
        <line class="ground" x1="0" x2=${minutes.length * chart.step} y1=${chart.height} y2=${chart.height}></line>
      </svg>
      <div class="row">
        <span class="key done">${t('requests')}</span>
        <span class="key refused">${t('refused')}</span>
        <span class="key failed">${t('failed')}</span>
      </div>
      <div class="scroll" tabindex="0" role="region" aria-label=${t('lastHour')}>
        ${renderTable(kinds, [
          [t('kind'), ({ kind }) => t(`kind_${kind}`)],
          [t('requests'), ({ requests }) => formatNumber(requests), 'number'],
          [t('refused'), ({ refused }) => formatNumber(refused), 'number'],
          [t('failed'), ({ failed }) => formatNumber(failed), 'number'],
          [t('half'), ({ p50 }) => milliseconds(p50), 'number'],
          [t('most'), ({ p99 }) => milliseconds(p99), 'number'],
        ])}
      </div>
    </section>`
  }

  async #refresh(): Promise<void> {
    await this.#shown.run()
    announce(t('refreshed'))
  }
}

function renderBar({ done, refused, failed }: ReturnType<typeof barsOf>[number], x: number) {
  let top = chart.height
  return [['done', done] as const, ['refused', refused] as const, ['failed', failed] as const].map(([name, part]) => {
    const height = part * chart.height
    top -= height
    return height === 0 ? nothing : svg`<rect class=${name} x=${x} y=${top} width=${chart.bar} height=${height}></rect>`
  })
}

function renderLimits(limits: Figures['limitsReached']) {
  return renderTable(limits, [
    [t('limit'), ({ limit }) => html`<code lang="en">${limit}</code>`],
    [t('times'), ({ times }) => formatNumber(times), 'number'],
  ])
}

function formatBytes(bytes: number | null): string {
  if (bytes === null) return t('unknown')
  const { value, unit } = unitOf(bytes)
  const options = { style: 'unit', unit, maximumFractionDigits: 1 } as const
  return new Intl.NumberFormat(presentLanguage(), options).format(value)
}

function renderAttention({ condition, since }: Figures['attention'][number]) {
  return html`<wa-callout variant="warning"><wa-icon slot="icon" name="warning"></wa-icon>${t(`attention_${condition}`)}
    <cartulary-moment class="quiet" value=${since} distance></cartulary-moment></wa-callout>`
}

/** Kind and place of a database, which the server joins by an English word. */
function placeOf(description: string): string {
  return description.replace(/^(SQLite|PostgreSQL) (?:at|in) /, '$1 · ')
}

customElements.define('cartulary-system', System)
