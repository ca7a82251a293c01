export * from './browser.ts'
export { folderCommands } from './commands.ts'
export * from './controller.ts'
export * from './edit-text.ts'
export * from './folder-order.ts'
export {
  type Conflict,
  type ConflictAnswer,
  type ConflictChoice,
  conflictChoices,
  freeName,
  settleNames,
} from './names.ts'
export { createFileOperations, type FileDialogs, type FileOperations, type LocalTree } from './operations.ts'
export * from './past-paths.ts'
export {
  breadcrumb,
  type Crumb,
  isTypedPath,
  joinPath,
  lastName,
  parentPath,
  parsePlace,
  resolvePath,
  safeFileName,
} from './paths.ts'
export * from './preview.ts'
export * from './queue.ts'
export * from './shown-file.ts'
export * from './texts.ts'
