export * from './output-queue.ts'
export * from './terminal.ts'
