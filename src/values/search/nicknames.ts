import { unitsOf } from "./name-words.ts";

/**
 * Nicknames of players: one to three words, and the words that they mean, with alternatives between slashes. Codes of exteriors have no
 * other meaning; other words also keep their own meaning.
 */
const table = `
fn = factory new
mw = minimal wear
ft = field tested
ww = well worn
bs = battle scarred
st = stattrak
фн = factory new
мв = minimal wear
фт = field tested
бс = battle scarred
ст = stattrak
статтрек = stattrak
сув = souvenir
souv = souvenir
sv = souvenir
deagle = desert eagle
дигл = desert eagle
дезерт игл = desert eagle
juan deag = desert eagle
dualies = dual berettas
duals = dual berettas
scout = ssg 08
скаут = ssg 08
муха = ssg 08
sawedoff = sawed off
krieg = sg 553
auto sniper = scar 20 / g3sg1
bizon = pp bizon
калаш = ak47
калашников = ak47
эмка = m4a4 / m4a1s
авп = awp
авик = awp
слон = awp
юсп = usp
bfk = butterfly knife
butter = butterfly
баттерфляй = butterfly
bayo = bayonet
байонет = bayonet
karam = karambit
kerambit = karambit
бабочка = бабочка / butterfly
daggers = shadow daggers
skelly = skeleton
vanilla = vanilla
ваниль = vanilla
ванильный = vanilla
dlore = dragon lore
длор = dragon lore
драгон лор = dragon lore
hb = hyper beast
kc = kill confirmed
tt = tiger tooth
cw = crimson web
ch = case hardened
mf = marble fade
gd = gamma doppler
bp = black pearl
рубин = ruby
сапфир = sapphire
изумруд = emerald
черная жемчужина = black pearl
фаза = phase
holo = holo / голографическая
холо = holo
фоил = foil
kato = katowice
като = katowice
navi = natus vincere
нави = natus vincere
nip = ninjas in pyjamas
vp = virtus pro
ibp = ibuypower
c9 = cloud9
nv = envyus
mk = music kit
`;

const wearCodes = new Set(["fn", "mw", "ft", "ww", "bs", "фн", "мв", "фт", "бс", "ст", "st"]);

/** Meanings by nickname. All words of a meaning have to match. */
export const nicknames: ReadonlyMap<string, readonly (readonly string[])[]> = new Map(
  table
    .trim()
    .split("\n")
    .map((row) => {
      const [name = "", meaning = ""] = row.split(" = ");
      return [wordsOf(name).join(" "), meaning.split(" / ").map(wordsOf)];
    }),
);

function wordsOf(text: string): string[] {
  return unitsOf(text).map(({ whole }) => whole);
}

/** Most words in one nickname. */
export const nicknameWordsMax = 2;

/** Returns whether a word is a code of an exterior, and so has no other meaning. */
export function isCode(word: string): boolean {
  return wearCodes.has(word);
}
