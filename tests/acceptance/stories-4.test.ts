import { playStories } from './play.ts'

playStories(3)
