export * from './session.ts'
export * from './shown-name.ts'
export * from './types.ts'
export * from './view/index.ts'
