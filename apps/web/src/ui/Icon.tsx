import type { IconName } from '@qd/core/define'
import {
  ArrowDown,
  ArrowDownUp,
  ArrowLeft,
  ArrowRightLeft,
  ArrowUp,
  Bell,
  Check,
  ChevronDown,
  CircleAlert,
  CircleArrowUp,
  Clock,
  Columns3,
  Command,
  Copy,
  Download,
  Ellipsis,
  Eye,
  EyeOff,
  Folder,
  Globe,
  History,
  Info,
  Key,
  Keyboard,
  Languages,
  Layers,
  Link,
  ListFilter,
  LogOut,
  type LucideIcon,
  Menu,
  Minus,
  Monitor,
  Moon,
  Pause,
  Pencil,
  Play,
  Plus,
  RefreshCw,
  Route,
  Search,
  Server,
  Settings,
  SlidersHorizontal,
  Square,
  Sun,
  Tag,
  Terminal,
  Trash2,
  TriangleAlert,
  Undo2,
  User,
  X,
} from 'lucide-react'

/** Icons of actions and resources; the set is closed by core's `IconName`. */
const named = {
  server: Server,
  play: Play,
  terminal: Terminal,
  folder: Folder,
  'circle-arrow-up': CircleArrowUp,
  'sliders-horizontal': SlidersHorizontal,
  pencil: Pencil,
  copy: Copy,
  'trash-2': Trash2,
  'list-filter': ListFilter,
  'columns-3': Columns3,
  clock: Clock,
  bell: Bell,
  layers: Layers,
  route: Route,
  plus: Plus,
  user: User,
  key: Key,
  settings: Settings,
  'log-out': LogOut,
  history: History,
  globe: Globe,
  sun: Sun,
  languages: Languages,
  keyboard: Keyboard,
  'refresh-cw': RefreshCw,
  eye: Eye,
  'eye-off': EyeOff,
  link: Link,
  'undo-2': Undo2,
  pause: Pause,
  square: Square,
  tag: Tag,
  download: Download,
  'arrow-right-left': ArrowRightLeft,
} satisfies Record<IconName, LucideIcon>

/** Icons of the frame and of states, which no definition names. */
const own = {
  'arrow-down': ArrowDown,
  'arrow-down-up': ArrowDownUp,
  'arrow-left': ArrowLeft,
  'arrow-up': ArrowUp,
  check: Check,
  'chevron-down': ChevronDown,
  'circle-alert': CircleAlert,
  command: Command,
  ellipsis: Ellipsis,
  info: Info,
  menu: Menu,
  minus: Minus,
  monitor: Monitor,
  moon: Moon,
  search: Search,
  'triangle-alert': TriangleAlert,
  x: X,
} satisfies Record<string, LucideIcon>

const icons = { ...named, ...own }
/** Every icon the console draws. */
export type AnyIcon = keyof typeof icons

/** A decorative icon in the colour of the text; its meaning is always said beside it or by the control's name. */
export function Icon({
  name,
  size = 16,
  className,
}: {
  name: AnyIcon
  size?: 12 | 14 | 16 | 20
  className?: string | undefined
}) {
  const Drawn = icons[name]
  return <Drawn size={size} strokeWidth={2} aria-hidden="true" className={className} style={{ flex: 'none' }} />
}
