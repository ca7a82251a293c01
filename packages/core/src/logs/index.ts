export * from './session.ts'
export * from './tail.ts'
export * from './text.ts'
