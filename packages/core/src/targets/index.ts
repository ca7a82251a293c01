export { versionOrder } from './compare-version.ts'
export * from './completion.ts'
export * from './describe.ts'
export * from './evaluator.ts'
export { quote, type Token, type TokenKind, tokens } from './lexer.ts'
export { nearest } from './nearest.ts'
export * from './options.ts'
export * from './order.ts'
export { type ParsedSelection, parseSelection } from './parser.ts'
export * from './resolve.ts'
export {
  isEmptySelection,
  type Selection,
  type SelectionProblem,
  selectedFields,
  selectionProblemKey,
} from './selection.ts'
export { type Term, type Terms, type TermWord, termsOf } from './terms.ts'
