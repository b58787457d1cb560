import { type GroupProperties, groupFields, groupLimits } from '../../../directory/group.ts'
import { findTextProblem } from '../../../plain-text.ts'
import { groupMeanings } from '../../shapes/directory/group.ts'
import {
  onlyGiven,
  optionalBoolean,
  optionalList,
  type Parameter,
  parametersOf,
  parseJson,
  type Values,
  Wrong,
} from '../parameter-types.ts'
import { withoutEffect } from '../unused-parameters.ts'

const itemControl = 'updateitemcontrol'

/** Capabilities as words or as a JSON array, since clients send back the array that they have read. */
const capabilities: Parameter<readonly string[] | undefined> = {
  ...optionalList(
    `${itemControl} if members may update the items that are shared with the group; empty if not. Takes portal:admin:createUpdateCapableGroup.`,
    { max: 1, maxLength: 100 },
  ),
  read(given) {
    if (given === undefined) return undefined
    const names = given
      .replace(/^\s*\[|\]\s*$|"/g, '')
      .split(',', 10)
      .map((name) => name.trim().toLowerCase())
      .filter((name) => name !== '')
    return names.every((name) => name === itemControl)
      ? [...new Set(names)]
      : new Wrong(`has to be ${itemControl} or empty.`)
  },
}

/** Empty text stands for an empty field, which is not the same as settings that say nothing. */
type DisplaySettings = { readonly itemTypes: string } | ''

const displaySettings: Parameter<DisplaySettings | undefined> = {
  type: 'json',
  isRequired: false,
  meaning:
    'JSON object with itemTypes, the type of the items that clients show first, such as {"itemTypes":"Web Map"}.',
  read(given) {
    if (given === undefined) return undefined
    if (given.trim() === '') return ''
    const settings = parseJson(given)?.value
    if (typeof settings !== 'object' || settings === null || Array.isArray(settings)) {
      return new Wrong('is not a JSON object.')
    }
    const { itemTypes = '', ...others } = settings as Readonly<Record<string, unknown>>
    const [unknown] = Object.keys(others)
    if (unknown !== undefined) return new Wrong('has members other than itemTypes.')
    if (typeof itemTypes !== 'string') return new Wrong('itemTypes is not a text.')
    const problem = findTextProblem(itemTypes, groupLimits.shownItemTypes)
    return problem === undefined ? { itemTypes } : new Wrong(`itemTypes ${problem}`)
  },
}

/** Properties of a group, besides its title. */
export const groupParameters = {
  ...parametersOf(groupFields, groupMeanings),
  capabilities,
  leavingDisallowed: optionalBoolean(
    'Whether members cannot leave; the owner and the managers remove them. Takes portal:admin:createLeavingDisallowedGroup.',
  ),
  hiddenMembers: optionalBoolean(
    'Whether only the owner, the managers and administrators see who belongs to the group.',
  ),
  displaySettings,
  ...withoutEffect('thumbnail', 'typeKeywords', 'isOpenData', 'isReadOnly'),
}

/** The given properties, by the names that the directory has for them. */
export function groupPropertiesOf(
  given: Partial<Values<typeof groupParameters>>,
): Partial<Omit<GroupProperties, 'title'>> {
  const { capabilities, leavingDisallowed, hiddenMembers, displaySettings, ...rest } = given
  return onlyGiven({
    ...rest,
    givesItemControl: capabilities && capabilities.length > 0,
    isLeavingDisallowed: leavingDisallowed,
    hidesMembers: hiddenMembers,
    shownItemTypes:
      displaySettings === undefined || displaySettings === '' ? displaySettings : displaySettings.itemTypes,
  })
}
