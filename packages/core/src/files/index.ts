export * from './session.ts'
export * from './shown-name.ts'
export * from './types.ts'
export * from './view/browser.ts'
export { folderCommands } from './view/commands.ts'
export * from './view/controller.ts'
export * from './view/edit-text.ts'
export * from './view/folder-order.ts'
export {
  type Conflict,
  type ConflictAnswer,
  type ConflictChoice,
  conflictChoices,
  freeName,
  settleNames,
} from './view/names.ts'
export { createFileOperations, type FileDialogs, type FileOperations, type LocalTree } from './view/operations.ts'
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
} from './view/paths.ts'
export * from './view/preview.ts'
export * from './view/queue.ts'
export * from './view/shown-file.ts'
export * from './view/texts.ts'
