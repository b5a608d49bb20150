/** A table as one viewer sees it, as `tables/view_types.py` declares it, and how a change makes the next view of it. */

/** @typedef {{kind: string, base: number, add: number}} ClockTermsView */
/** @typedef {{clock: ClockTermsView | null, sitting: string, watching: string, chat: string, hints: boolean, starts: string, rules: number}} TermsView */
/** @typedef {{id: string, number: number, previous: string, won: number[], shared: number[], points: number[]}} MatchView */
/** @typedef {{left: number, running: boolean}} ClockView */
/** @typedef {{seat: number, sign: string, look: string, name: string, kind: string, level: string, left: boolean, contributed: boolean, score: number, count: number, of: number, state: string, asked: boolean, clock: ClockView | null, hints: number}} SeatView */
/** @typedef {{kind: string, seats: number[], ask: string}} NodeView */
/** @typedef {{name: string, x: number, y: number, symbol: string, label: string, turn: number}} CellView */
/** @typedef {{id: string, symbol: string, x: number, y: number, turn: number, scale: number, label: string, cell: string, level: number}} PieceView */
/** @typedef {{points: [number, number][], width: number, colour: string}} TrackView */
/** @typedef {{text: string, x: number, y: number, size: number, colour: string}} LabelView */
/** @typedef {{name: string, value: number, seat: number, text: string}} CounterView */
/** @typedef {{width: number, height: number, title: string, backdrop: string, cells: CellView[], pieces: PieceView[], tracks: TrackView[], labels: LabelView[], counters: CounterView[], marks: string[]}} SceneView */
/** @typedef {{seat: number, token: string, touches: string[], button?: string, said?: string, warning?: string}} LegalView */
/** @typedef {{seat: number, tokens: string[], seq: number, seqs?: number[], throws?: boolean[], hints?: string[]}} TurnView */
/** @typedef {{seq: number, kind: string, seat: number | null, text: string, at: number}} SentenceView */
/** @typedef {{token: string, odds: string}} OutcomeView */
/** @typedef {{seq: number, seat: number | null, token: string, odds: string, outcomes: OutcomeView[]}} ThrowView */
/** @typedef {{what: string, seat: number | null, seq: number, answer: number[], text: string}} AskView */
/** @typedef {{seq: number, seat: number | null, at: number, phrase: string, text: string}} SaidView */
/** @typedef {{phrases: string[], reactions: string[], text: boolean, said: SaidView[]}} ChatView */
/** @typedef {{scores: number[], winners: number[], reason: string, sentences: string[]}} ResultView */
/** @typedef {{seat: number, bytes: string}} ContributionView */
/** @typedef {{commitment: string, contributions: ContributionView[], secret: string | null}} DiceView */
/** @typedef {{t: string, seat: number | null, label: string}} CommandView */
/** @typedef {{path: string, seat: number | null}} InvitationView */
/** @typedef {{seat?: number, throw?: boolean, scene?: SceneChange}} PathView */
/** @typedef {{seat: number, token: string, touches: string[], ways: number[][], text: string, why: string}} HintView */
/** @typedef {{table: string, seq: number, hash: string, at: number, past: boolean, game: string, title: string, options: Record<string, string>, phase: string, terms: TermsView, match: MatchView, seats: SeatView[], you: number[], opener: boolean, aim: string, verdict: string, harder: string, node: NodeView, scene: SceneView, trails: number[][], hint: HintView | null, position: string, legal: LegalView[], record: TurnView[], sentences: SentenceView[], throw: ThrowView | null, asks: AskView[], chat: ChatView, result: ResultView | null, dice: DiceView, next: string, commands: CommandView[], invitations: InvitationView[], watchers: number}} View */
/** @typedef {{cells?: CellView[], pieces?: PieceView[], gone?: string[], all_cells?: CellView[], order?: string[], tracks?: TrackView[], labels?: LabelView[], labels_before?: number, labels_after?: number, counters?: CounterView[], marks?: string[]}} SceneChange */
/** @typedef {{from: number, to: number, hash: string, at?: number, phase?: string, match?: MatchView, seats?: SeatView[], node?: NodeView, trails?: number[][], hint?: HintView | null, position?: string, throw?: ThrowView | null, chat?: ChatView, result?: ResultView | null, dice?: DiceView, next?: string, you?: number[], opener?: boolean, aim?: string, verdict?: string, harder?: string, legal?: LegalView[], asks?: AskView[], commands?: CommandView[], invitations?: InvitationView[], watchers?: number, scene?: SceneChange, path?: PathView[], turns?: TurnView[], sentences?: SentenceView[]}} Change */

/** How many events back the sentences reach. */
const LAST = 12;

/**
 * @param {View} view
 * @param {Change & {t?: string}} change
 * @returns {View | null} the view after a change; null if the change does not follow from it, and a whole view must be asked for
 */
export function applied(view, change) {
  if (change.from !== view.seq) return null;
  const { t: _tag, from: _from, to, scene, path: _path, turns, sentences = [], ...fields } = change;
  const record = turns ? [...view.record.filter((turn) => firstSeq(turn) < firstSeq(turns[0])), ...turns] : view.record;
  const known = [...view.sentences, ...sentences].filter((sentence) => sentence.seq > to - LAST);
  return { ...view, ...fields, seq: to, scene: scene ? appliedScene(view.scene, scene) : view.scene, record, sentences: known };
}

/** @param {TurnView} turn @returns {number} its first event */
function firstSeq(turn) {
  return turn.seqs?.[0] ?? turn.seq;
}

/** @param {SceneView} scene @param {SceneChange} change @returns {SceneView} */
export function appliedScene(scene, change) {
  const { gone = [], order, labels, labels_before = 0, labels_after = 0 } = change;
  const cells = new Map([...scene.cells, ...(change.cells ?? [])].map((cell) => [cell.name, cell]));
  const pieces = new Map([...scene.pieces.filter((piece) => !gone.includes(piece.id)), ...(change.pieces ?? [])].map((piece) => [piece.id, piece]));
  return {
    ...scene,
    cells: change.all_cells ?? [...cells.values()],
    pieces: order ? order.flatMap((id) => pieces.get(id) ?? []) : [...pieces.values()],
    tracks: change.tracks ?? scene.tracks,
    labels: labels ? [...scene.labels.slice(0, labels_before), ...labels, ...scene.labels.slice(scene.labels.length - labels_after)] : scene.labels,
    counters: change.counters ?? scene.counters,
    marks: change.marks ?? scene.marks,
  };
}
