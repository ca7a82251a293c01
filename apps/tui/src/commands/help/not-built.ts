import { resourceNames } from '@qd/core/define'
import { resourceByName } from '@qd/core/resources'

const topLevel = ['files', 'watch', 'apply', 'diff', 'doctor']

/** True for words of the product that a later version builds, e.g. `files` or `server shell`: they are refused as such, not as typos. */
export function isNotBuilt(words: string): boolean {
  return topLevel.includes(words) || resourceNames.some((name) => name === words && !resourceByName(name))
}
