export * from './output-queue.ts'
export * from './paste.ts'
export * from './terminal.ts'
