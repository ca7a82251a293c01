import { type AnyRow, fieldOf, fieldValue } from '@qd/core/define'
import { measured, plainText } from '@qd/core/fields'
import { dayBars } from '../../screen/fields/meter.ts'
import type { Ui } from '../../screen/state/ui.ts'
import { blank, line, span, wrapText } from '../../screen/terminal/line.ts'
import { factLines } from '../views/detail-pane.ts'
import type { SectionMaker } from './section-view.ts'

export const createLead: SectionMaker<'lead'> = (_ui, { section }) => ({
  lines: (row, columns) =>
    wrapText(plainText(String(row[section.field] ?? '')), columns - 2).map((one) => line(` ${one}`)),
})

export const createProblem: SectionMaker<'problem'> = (_ui, { section }) => ({
  lines(row, columns) {
    const text = row[section.field]
    return typeof text === 'string' && text !== ''
      ? wrapText(text, columns - 2).map((one) => line(` ${one}`, 'bad'))
      : []
  },
})

/** Marks of the title come before the first section. */
export const createFacts: SectionMaker<'facts'> = (ui, { resource, section }) => {
  const { detail, fields } = resource
  const isFirst = detail.sections.find(({ kind }) => kind === 'facts') === section
  const isSaid = (row: AnyRow) => (name: string) => fieldOf({ fields }, name).kind !== 'flag' || row[name] === true
  return {
    lines: (row, columns) => {
      const tags = isFirst ? detail.tags.filter(isSaid(row)) : []
      return factLines(ui, resource, row, { columns, names: [...tags, ...section.fields] })
    },
  }
}

/** Facts that no other section shows. */
export const createRest: SectionMaker<'rest'> = (ui, { resource, section }) => ({
  lines: (row, columns) => factLines(ui, resource, row, { columns, names: section.fields ?? [] }),
})

export const createLinks: SectionMaker<'links'> = (ui, { resource, section }) => ({
  lines: (row, columns) =>
    factLines(ui, resource, row, { columns, names: section.fields.filter((name) => row[name] !== 0) }),
})

export const createText: SectionMaker<'text'> = (ui, { resource, section }) => ({
  lines(row, columns) {
    const text = fieldValue(resource, row, section.field, ui.workspace.view)
    if (typeof text !== 'string' || text.trim() === '') return []
    const lines = text.split('\n').flatMap((one) => wrapText(plainText(one), columns - 2))
    return lines.map((one) => line(` ${one}`))
  },
})

export const createDays: SectionMaker<'days'> = (ui, { section }) => {
  const daysOf = (row: AnyRow) => row[section.field] as readonly number[]
  return {
    lines: (row) => [[blank(1), ...dayBars(daysOf(row)), span(`  ${daysText(ui, daysOf(row))}`, 'muted')]],
    spoken: (row) => [daysText(ui, daysOf(row))],
  }
}

function daysText({ workspace, io }: Ui, days: readonly number[]): string {
  const { translator, format } = workspace
  const known = days.filter((percent) => percent >= 0)
  if (known.length === 0) return translator.t('ui.days.unknown')
  const worst = days.lastIndexOf(Math.min(...known))
  return translator.t('ui.days.all', {
    count: known.length,
    percent: measured('availability', days[worst]!, { translator, format }),
    day: format.day(io.now() - (days.length - 1 - worst) * 86_400_000),
  })
}
