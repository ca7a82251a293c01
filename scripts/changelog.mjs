// Pure.
const heading = '## [Unreleased]\n'

/** The changelog with what was unreleased under a version and its day; null if there is nothing unreleased. */
export function released(changelog, version, day) {
  const from = changelog.indexOf(heading)
  if (from < 0) return null
  const rest = changelog.slice(from + heading.length)
  const [entries] = rest.split(/^## \[/m)
  if (!/^- /m.test(entries)) return null
  return `${changelog.slice(0, from)}${heading}\n## [${version}] - ${day}\n${rest}`
}
