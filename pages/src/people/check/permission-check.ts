import { enterSubmits, field, readFields, textOf } from '../../elements/fields.ts'
import { announce, button, Screen } from '../../elements/page.ts'
import './missing-privilege.ts'
import { Task, TaskStatus } from '@lit/task'
import { css, html, nothing } from 'lit'
import { state } from 'lit/decorators.js'
import type { Privilege } from '../../../../src/call/privilege.ts'
import type { WireGroup } from '../../../../src/http/shapes/directory/group.ts'
import type { WireUserView } from '../../../../src/http/shapes/directory/user.ts'
import { renderDetails } from '../../elements/lists/facts.ts'
import { PersonSuggestions } from '../../forms/person-suggestions.ts'
import { goTo, hrefTo } from '../../navigation/navigation.ts'
import { type NamedOperationId, nameOfOperation } from '../../operations/operation-names.ts'
import { call, signedIn } from '../../session/session.ts'
import type { TextKey } from '../../texts/keys.ts'
import { ofPeople as family, ofPeopleCheck as t } from '../../texts/rooms.ts'
import { describePrivilege } from '../privileges/describe-privilege.ts'
import { renderPeopleTabs } from '../tabs.ts'
import {
  type CheckedOperation,
  type CheckedOperations,
  findOperations,
  keyOfAnswer,
  keyOfReason,
  partOf,
  parts,
  type Verdict,
} from './checked-operations.ts'
import { everydayWordsOf } from './everyday-words.ts'

/** Name of an id in a path, such as `groupId`. */
type TargetName =
  TextKey<'people/check'> extends infer Key ? (Key extends `target_${infer Name}` ? Name : never) : never

type Group = Pick<WireGroup, 'id' | 'title'>

/** "May this person do that?": the question is in the address, so that it can be shared. */
class PermissionCheck extends Screen {
  static override styles = css`
    .answer {
      font-size: 1.25rem;
      font-weight: 600;
    }
  `

  /** Search words for operations. */
  @state() words = ''
  /** Operation chosen in the form; the one being checked is in the address. */
  @state() chosen: string | undefined

  readonly #persons = new PersonSuggestions(this)

  /** Groups of the asking person, to be found by title; without them an id can still be typed. */
  readonly #groups = new Task(this, {
    args: () => [signedIn()?.username],
    task: async (_, { signal }) => (await call<WireUserView>('/community/self', {}, { signal })).groups,
  })

  readonly #operations = new Task(this, {
    args: () => [],
    task: async (_, { signal }) => (await call<CheckedOperations>('/checkedOperations', {}, { signal })).operations,
  })

  readonly #verdict = new Task(this, {
    args: () => [this.query.toString(), this.#operations.value],
    task: async ([text], { signal }) => {
      const query = new URLSearchParams(text)
      const operation = this.#findOperation(query.get('operation'))
      if (!operation) return undefined
      const target = Object.fromEntries(operation.target.map((name) => [name, query.get(name) ?? '']))
      const parameters = query.get('parameters') ?? undefined
      return call<Verdict>(
        '/portals/self/permissionCheck',
        {
          user: query.get('user') ?? undefined,
          operation: operation.id,
          target: operation.target.length > 0 ? JSON.stringify(target) : undefined,
          parameters,
        },
        { signal },
      )
    },
    onComplete: (verdict) => {
      if (verdict) announce(`${t(keyOfAnswer(verdict))}. ${reasonOf(verdict)}`)
    },
  })

  override render() {
    return html`<cartulary-heading text=${family('check')} note=${t('note')}></cartulary-heading>
      ${renderPeopleTabs('permissionCheck')}
      <div class="stack">
        ${this.#renderForm(this.#groups.value ?? [])}
        ${this.#operations.render({ error: (error) => html`<cartulary-problem .error=${error}></cartulary-problem>` })}
        ${this.#verdict.render({
          error: (error) => html`<cartulary-problem .error=${error}></cartulary-problem>`,
          complete: (verdict) => verdict && this.#renderVerdict(verdict),
        })}
      </div>`
  }

  #renderForm(groups: readonly Group[]) {
    const isAdministrator = signedIn()?.role === 'org_admin'
    const user = this.query.get('user') ?? signedIn()?.username ?? ''
    const chosen = this.#findOperation(this.chosen ?? this.query.get('operation'))
    const operations = this.#operations.value ?? []
    const found = findOperations(operations, this.words, searchedTextOf)
    const isShown = (operation: CheckedOperation) => operation === chosen || found.includes(operation)
    return html`<form class="panel" @submit=${this.#ask}>
      ${enterSubmits}
      <div class="fields">
        ${field('user', t('person'), {
          required: true,
          list: 'users',
          value: user,
          follows: true,
          readonly: !isAdministrator,
          isCode: true,
          onInput: this.#persons.suggest,
          hint: html`<span role="status">${this.#persons.renderNameOr(t(isAdministrator ? 'personHint' : 'onlyYou'))}</span>`,
        })}
        ${this.#persons.renderList('users')}
        ${field('', t('find'), {
          type: 'search',
          value: this.words,
          onInput: (event) => (this.words = textOf(event)),
          hint: html`<span role="status">${this.words.trim() === '' ? t('findHint') : t('matching', { count: found.length })}</span>`,
        })}
        <label class="field wide">
          <span>${t('operation')}</span>
          <select name="operation" required @change=${(event: Event) => (this.chosen = textOf(event))}>
            <option value="" ?selected=${!chosen}>${t('choose')}</option>
            ${parts.map((part) => {
              const shown = operations.filter((one) => partOf(one) === part && isShown(one))
              if (shown.length === 0) return nothing
              return html`<optgroup label=${t(`part_${part}`)}>
                ${shown.map((one) => html`<option value=${one.id} ?selected=${one === chosen}>${nameOf(one)}</option>`)}
              </optgroup>`
            })}
          </select>
        </label>
        ${chosen?.target.map((name) => this.#renderTarget(name as TargetName, groups))}
      </div>
      <details ?open=${this.query.has('parameters')}>
        <summary>${t('parameters')}</summary>
        <label class="field">
          <span class="visually-hidden">${t('parameters')}</span>
          <textarea name="parameters" rows="3" spellcheck="false" .value=${this.query.get('parameters') ?? ''}></textarea>
          <small>${t('parametersHint', { operation: chosen?.id ?? '…' })}</small>
        </label>
      </details>
      <div>${button(t('ask'), { type: 'submit', variant: 'brand', loading: this.#verdict.status === TaskStatus.PENDING && this.query.has('operation') })}</div>
    </form>`
  }

  #renderTarget(name: TargetName, groups: readonly Group[]) {
    const isGroup = name === 'groupId'
    const hint = isGroup
      ? html`${t('groupHint')}<datalist id="groups">${groups.map(({ id, title }) => html`<option value=${id} dir="auto">${title}</option>`)}</datalist>`
      : name.endsWith('Id')
        ? t('idHint')
        : undefined
    return field(name, t(`target_${name}`), {
      required: true,
      list: isGroup ? 'groups' : undefined,
      value: this.query.get(name) ?? '',
      follows: true,
      isCode: true,
      hint,
    })
  }

  #renderVerdict(verdict: Verdict) {
    const { allowed, reason, privilege, details = [], user } = verdict
    const isYes = allowed && verdict.verdict !== 'refusedNow'
    return html`<wa-callout variant=${isYes ? 'success' : allowed ? 'warning' : 'danger'}><wa-icon slot="icon" name=${isYes ? 'check' : allowed ? 'warning' : 'circle-xmark'}></wa-icon>
      <div class="stack">
        <div class="answer">${t(keyOfAnswer(verdict))}</div>
        <p>${reasonOf(verdict)}</p>
        ${renderDetails([
          [t('missing'), privilege && html`${describePrivilege(privilege as Privilege)} <code>${privilege}</code>`],
          [
            t('because'),
            details.length > 0 && details.map((detail) => html`<div lang="en" dir="auto">${detail}</div>`),
          ],
          [t('server'), html`<span lang="en" dir="auto">${reason}</span>`],
        ])}
        ${
          privilege
            ? html`<cartulary-missing-privilege
                username=${user} privilege=${privilege} @given=${() => this.#verdict.run()}
              ></cartulary-missing-privilege>`
            : nothing
        }
        <p><a href=${hrefTo('person', { username: user })}>${t('toPerson')}</a></p>
      </div>
    </wa-callout>`
  }

  /** Finds an operation; undefined if none is asked about, or it is not known. */
  #findOperation(id: string | null): CheckedOperation | undefined {
    return this.#operations.value?.find((operation) => operation.id === id)
  }

  #ask(event: SubmitEvent): void {
    event.preventDefault()
    const question = hrefTo('permissionCheck', {}, readFields(event.target as HTMLFormElement))
    if (question === window.location.href) void this.#verdict.run()
    else goTo(question)
  }
}

function nameOf({ id }: Pick<CheckedOperation, 'id'>): string {
  return nameOfOperation(id as NamedOperationId)
}

/** Text that operations are searched in. */
function searchedTextOf(operation: CheckedOperation): string {
  const also = everydayWordsOf(operation.id).map((word) => t(`also_${word}`))
  return [nameOf(operation), t(`part_${partOf(operation)}`), ...also].join(' ')
}

/** Reason as a sentence in the language of the person. */
function reasonOf(verdict: Verdict): string {
  return t(keyOfReason(verdict), { user: verdict.user, operation: nameOf({ id: verdict.operation }) })
}

customElements.define('cartulary-permission-check', PermissionCheck)
