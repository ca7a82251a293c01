export * from './lines.ts'
export * from './session.ts'
