export * from './asked.ts'
export * from './lines.ts'
export * from './session.ts'
