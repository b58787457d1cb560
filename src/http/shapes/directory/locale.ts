import { list, object, text, type ValueOf } from '../shape.ts'

/** Languages by their codes, each in its own words. */
const languages = {
  ar: 'العربية',
  bg: 'Български',
  bs: 'Bosanski',
  ca: 'Català',
  cs: 'Čeština',
  da: 'Dansk',
  de: 'Deutsch',
  el: 'Ελληνικά',
  en: 'English',
  es: 'Español',
  et: 'Eesti',
  fi: 'Suomi',
  fr: 'Français',
  he: 'עברית',
  hr: 'Hrvatski',
  hu: 'Magyar',
  id: 'Bahasa Indonesia',
  it: 'Italiano',
  ja: '日本語',
  ko: '한국어',
  lt: 'Lietuvių',
  lv: 'Latviešu',
  nb: 'Norsk bokmål',
  nl: 'Nederlands',
  pl: 'Polski',
  'pt-BR': 'Português (Brasil)',
  'pt-PT': 'Português (Portugal)',
  ro: 'Română',
  ru: 'Русский',
  sk: 'Slovenčina',
  sl: 'Slovenščina',
  sr: 'Srpski',
  sv: 'Svenska',
  th: 'ไทย',
  tr: 'Türkçe',
  uk: 'Українська',
  vi: 'Tiếng Việt',
  'zh-CN': '简体中文',
  'zh-HK': '繁體中文（香港）',
  'zh-TW': '繁體中文（台灣）',
} as const

const languageNames = new Intl.DisplayNames(['en'], { type: 'language' })

export const languagesShape = list(
  object({
    language: text('Name in English.'),
    culture: text('Code.'),
    localizedName: text('Name in the language itself.'),
  }),
)

export const languagesAnswer: ValueOf<typeof languagesShape> = Object.entries(languages).map(
  ([culture, localizedName]) => ({ language: languageNames.of(culture) ?? culture, culture, localizedName }),
)

/** Countries and territories: ISO 3166-1. */
const countries =
  'AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ CA CC ' +
  'CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR GA GB GD ' +
  'GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP KE KG KH ' +
  'KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW ' +
  'MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW SA SB SC ' +
  'SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG UM US UY ' +
  'UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW'

const regionNames = new Intl.DisplayNames(['en'], { type: 'region' })

export const regionsShape = list(
  object({ name: text('Name in English.'), region: text('Code.'), localizedName: text('The same as `name`.') }),
)

/** The world first, as the default of the public portal. */
export const regionsAnswer: ValueOf<typeof regionsShape> = ['WO', ...countries.split(' ')].map((region) => {
  const name = region === 'WO' ? 'World' : (regionNames.of(region) ?? region)
  return { name, region, localizedName: name }
})
