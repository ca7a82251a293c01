import { expect, test } from 'vitest'
import { isTest, readSource, sourceFiles } from '../support/sources.ts'

/** Where core, the web console and the terminal UI name an entity: its definition, its line in the registry and its word; examples of its flags where they are worth showing. */
const places = [
  'apps/tui/src/cli/commands/help/examples.ts',
  'packages/core/src/define/names.ts',
  'packages/core/src/resources/index.ts',
  'packages/core/src/resources/maintenance-window.ts',
]

test('issue 13: a whole entity is in core its own file, and nothing in the web console and the terminal UI', () => {
  const shown = /^(packages\/core|apps\/(web|tui))\/src\//
  const naming = sourceFiles().filter(
    (file) =>
      shown.test(file) &&
      !isTest(file) &&
      !file.endsWith('/test-monitoring.ts') &&
      /maintenance-window|maintenanceWindow|MaintenanceWindow/.test(readSource(file)),
  )
  expect(naming.sort()).toEqual(places)
})
