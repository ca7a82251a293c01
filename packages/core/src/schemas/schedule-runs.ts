import { Cron } from 'croner'
import type { Schedule } from './schedule.ts'

const hourMs = 3_600_000
/** A schedule without a match in this time never runs (contract engines 3.2). */
const horizonMs = 5 * 366 * 24 * hourMs

/**
 * The next `count` times after `from` in epoch ms, or fewer if there are no more. `timeZone` is the site’s; `since` is when an interval was
 * registered (default `from`). At a clock change, skipped wall times are left out and repeated ones run once, also for `*` fields; `@every` counts
 * elapsed time. Source: decisions.md "Cron grammar".
 */
export function nextRuns(
  schedule: Schedule,
  { from, count, timeZone, since = from }: { from: number; count: number; timeZone: string; since?: number },
): number[] {
  if (schedule.kind === 'interval') {
    // Also works if `since` is in the future, because the clock was ahead.
    const passed = Math.floor((from - since) / schedule.everyMs)
    return Array.from({ length: count }, (_, index) => since + (passed + 1 + index) * schedule.everyMs)
  }
  const times = calendarTimes(schedule, schedule.timeZone ?? timeZone)
  const runs: number[] = []
  while (runs.length < count) {
    const next = times.after(runs.at(-1) ?? from)
    if (next === null) break
    runs.push(next)
  }
  return runs
}

type Calendar = Extract<Schedule, { kind: 'calendar' }>

/** Remembers the last result, because lists ask for it repeatedly. */
interface CalendarTimes {
  after(time: number): number | null
}

const remembered = new Map<string, CalendarTimes>()

function calendarTimes(schedule: Calendar, zone: string): CalendarTimes {
  const key = `${zone} ${schedule.eitherDay} ${pattern(schedule)}`
  const times = remembered.get(key) ?? createTimes(schedule, zone)
  if (remembered.size >= 1000) remembered.clear()
  remembered.set(key, times)
  return times
}

function createTimes(schedule: Calendar, zone: string): CalendarTimes {
  const cron = new Cron(pattern(schedule), { timezone: zone, mode: '6-part', domAndDow: !schedule.eitherDay })
  const wall = wallClock(zone)
  const search = (time: number): number | null => {
    let next = cron.nextRun(new Date(time))
    while (next && !isDue(schedule, wall, next.getTime())) next = cron.nextRun(next)
    return next && next.getTime() <= time + horizonMs ? next.getTime() : null
  }
  let last: { from: number; next: number | null } = { from: Number.POSITIVE_INFINITY, next: null }
  return {
    after(time) {
      const known = time >= last.from && time < (last.next ?? last.from + hourMs)
      if (!known) last = { from: time, next: search(time) }
      return last.next
    },
  }
}

function pattern({ times, eitherDay }: Calendar): string {
  const { second, minute, hour, day, month, weekday } = times
  const list = (values: readonly number[], all: number) => (values.length === all ? '*' : values.join(','))
  const days = eitherDay ? [day.join(','), weekday.join(',')] : [list(day, 31), list(weekday, 7)]
  return [list(second, 60), list(minute, 60), list(hour, 24), days[0], list(month, 12), days[1]].join(' ')
}

/** Excludes times that croner moved out of a gap, and the second occurrence of a repeated wall time. */
function isDue({ times }: Calendar, wall: (time: number) => number, time: number): boolean {
  const local = new Date(wall(time))
  if (!times.hour.includes(local.getUTCHours()) || !times.minute.includes(local.getUTCMinutes())) return false
  if (!times.second.includes(local.getUTCSeconds())) return false
  const offset = wall(time) - time
  const before = time - 3 * hourMs
  const earlierOffset = wall(before) - before
  const earlier = time - (earlierOffset - offset)
  return earlierOffset <= offset || wall(earlier) !== wall(time)
}

/** Converts a time to wall-clock time in the zone, as if that were UTC. */
function wallClock(timeZone: string): (time: number) => number {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  })
  return (time) => {
    const parts = Object.fromEntries(format.formatToParts(time).map(({ type, value }) => [type, Number(value)]))
    const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts
    return Date.UTC(year, month - 1, day, hour, minute, second)
  }
}
