/** One figure with what it is of. Values that are not known are left out, never zero. */
export interface Family {
  name: string
  help: string
  type: 'gauge' | 'counter' | 'summary'
  /** Labels as `labelText` made them, empty for none; then the value. */
  samples: Iterable<readonly [labels: string, value: number | null | undefined]>
}

/** Labels in the exposition format, with braces. Source: Prometheus text format 0.0.4. */
export function labelText(labels: Readonly<Record<string, string | number>>): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escaped(String(value))}"`)
  return `{${pairs.join(',')}}`
}

const escaped = (text: string) => text.replace(/\\/g, '\\\\').replace(/"/g, '\\"').replace(/\n/g, '\\n')

/** A family as text; empty if nothing of it is known. */
export function familyText({ name, help, type, samples }: Family): string {
  let lines = ''
  for (const [labels, value] of samples) {
    if (value !== null && value !== undefined && Number.isFinite(value)) lines += `${name}${labels} ${value}\n`
  }
  return lines === '' ? '' : `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines}`
}
