/** Why a schedule was refused; `params` name the offending text and the bounds it broke. */
export interface ScheduleProblem {
  readonly code: ScheduleProblemCode
  readonly params: Readonly<Record<string, string | number>>
}

/** The closed set of things that can be wrong with a schedule. */
export type ScheduleProblemCode =
  | 'empty'
  | 'fieldCount'
  | 'descriptor'
  | 'timeZone'
  | 'notNumber'
  | 'hyphens'
  | 'slashes'
  | 'belowMinimum'
  | 'aboveMaximum'
  | 'reversed'
  | 'zeroStep'
  | 'duration'
  | 'durationUnit'
  | 'durationNoUnit'
  | 'durationShort'
  | 'neverRuns'
  | 'tooLong'

type Params = ScheduleProblem['params']

/** Text in double quotes with backslash escapes. */
const quoted = (text: string | number | undefined) => JSON.stringify(String(text))

const texts: Readonly<Record<ScheduleProblem['code'], (p: Params) => string>> = {
  empty: () => 'empty spec string',
  fieldCount: (p) => `expected exactly 6 fields, found ${p.found}: [${p.text}]`,
  descriptor: (p) => `unrecognized descriptor: ${p.text}`,
  timeZone: (p) => `provided bad location ${p.zone}: unknown time zone ${p.zone}`,
  notNumber: (p) => `failed to parse int from ${p.text}: strconv.Atoi: parsing ${quoted(p.text)}: invalid syntax`,
  hyphens: (p) => `too many hyphens: ${p.text}`,
  slashes: (p) => `too many slashes: ${p.text}`,
  belowMinimum: (p) => `beginning of range (${p.value}) below minimum (${p.min}): ${p.text}`,
  aboveMaximum: (p) => `end of range (${p.value}) above maximum (${p.max}): ${p.text}`,
  reversed: (p) => `beginning of range (${p.from}) beyond end of range (${p.to}): ${p.text}`,
  zeroStep: (p) => `step of range should be a positive number: ${p.text}`,
  duration: (p) => `failed to parse duration ${p.text}: time: invalid duration ${quoted(p.duration)}`,
  durationUnit: (p) =>
    `failed to parse duration ${p.text}: time: unknown unit ${quoted(p.unit)} in duration ${quoted(p.duration)}`,
  durationNoUnit: (p) => `failed to parse duration ${p.text}: time: missing unit in duration ${quoted(p.duration)}`,
  durationShort: (p) => `the interval must be at least 1s: ${p.text}`,
  neverRuns: (p) => `this schedule never comes: ${p.text}`,
  tooLong: (p) => `spec string has more than ${p.maximum} characters`,
}

/** The contract's own text of a refused schedule, for answers on the wire; people read `errors.schedule.<code>`. Source: contract engines 3.2. */
export function scheduleErrorText(problem: ScheduleProblem): string {
  return texts[problem.code](problem.params)
}

/** The key of the sentence a person reads about a refused schedule; its parameters are the problem's. */
export function scheduleProblemKey(problem: ScheduleProblem): `errors.schedule.${ScheduleProblem['code']}` {
  return `errors.schedule.${problem.code}`
}
