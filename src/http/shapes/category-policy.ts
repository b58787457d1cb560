import { policyAudiences, policyRequirements } from '../../directory/category-policy.ts'
import { choice, component, list, object, text } from './shape.ts'

export const categoryPolicyShape = component(
  'CategoryPolicy',
  'Which items need a category.',
  object({
    require: choice(
      policyRequirements,
      '`report`: items without one are listed; `enforce`: sharing them more widely is refused too.',
    ),
    below: list(text(), 'Paths: one of the categories has to be one of these or below one; empty for any category.'),
    types: list(text(), 'Types of items that need one; empty for all.'),
    when: choice(policyAudiences, 'Items that need one: public ones, those that the organization sees too, or all.'),
  }),
)
