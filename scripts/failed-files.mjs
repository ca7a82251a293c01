import { writeFileSync } from 'node:fs'

/**
 * A reporter of vitest that writes the files in which a test failed to the path in `FAILED_FILES`, as JSON. After an error that belongs to no test,
 * such as a worker that died, it writes none: what was lost isn't known.
 */
export default class {
  onTestRunEnd(modules, errors) {
    const failed = modules.filter((module) => !['passed', 'skipped'].includes(module.state()))
    writeFileSync(
      process.env.FAILED_FILES,
      JSON.stringify(errors.length > 0 ? [] : failed.map(({ moduleId }) => moduleId)),
    )
  }
}
