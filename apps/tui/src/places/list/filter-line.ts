import type { Translator } from '@qd/core/i18n'
import { type SelectionProblem, selectionProblemKey, tokens } from '@qd/core/targets'
import { widthOf } from '../../base/output/width.ts'
import { cutLine, type Line, lineWidth, type Span, span, spread } from '../../screen/terminal/line.ts'
import type { TextInput } from '../../screen/terminal/text-input.ts'
import type { Role } from '../../screen/terminal/theme.ts'

const roles: Readonly<Record<string, Role>> = {
  key: 'muted',
  operator: 'accent',
  comma: 'accent',
  negation: 'accent',
  open: 'accent',
  close: 'accent',
  and: 'accent',
  or: 'accent',
}

/** Keys muted, operators accent, values plain. */
function coloured(text: string): Line {
  const pieces: Span[] = []
  let at = 0
  for (const token of tokens(text)) {
    if (token.from > at) pieces.push(span(text.slice(at, token.from)))
    pieces.push(span(text.slice(token.from, token.to), roles[token.kind] ?? 'text'))
    at = token.to
  }
  return at < text.length ? [...pieces, span(text.slice(at))] : pieces
}

function choiceSpans(choices: readonly string[], cells: number): Line {
  let text = ''
  for (const choice of choices) {
    const longer = text === '' ? choice : `${text}  ${choice}`
    if (widthOf(longer) > cells) break
    text = longer
  }
  return text === '' ? [] : [span(`   ${text}`, 'muted')]
}

export function filterLine(
  {
    translator,
    input,
    filter,
    problem,
    choices,
    columns,
  }: {
    translator: Translator
    input: TextInput | null
    filter: string
    problem: SelectionProblem | null
    choices: readonly string[]
    columns: number
  },
  right: Line,
): Line {
  if (!input && filter === '') return right.length === 0 ? [] : spread([], right, columns)
  const text = input ? input.draw(columns - 30) : coloured(filter)
  const wrong = problem ? [span('  '), span(translator.say(selectionProblemKey(problem), problem.params), 'bad')] : []
  const typed = cutLine([span(' '), span('/', 'muted'), ...text, ...wrong], columns)
  return spread([...typed, ...choiceSpans(choices, columns - lineWidth(typed) - lineWidth(right) - 4)], right, columns)
}
