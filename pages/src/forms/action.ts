export { Action } from '../elements/action.ts'
