"""Words to concepts: one name for what English and Chinese words say alike."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Final

from shared.models.relations.words.contrasts import CONTRASTS
from shared.models.relations.words.everyday import EVERYDAY
from shared.models.relations.words.food import FOOD
from shared.models.relations.words.grammar import CHINESE, ENGLISH, PHRASES
from shared.models.relations.words.living import LIVING
from shared.models.relations.words.people import PEOPLE
from shared.models.relations.words.places import REGIONS
from shared.models.relations.words.style import STYLE
from shared.models.relations.words.things import THINGS

_HAN: Final = r"\u4e00-\u9fff"
NAMED: Final = ("\ue000", "\ue001")
"""Stand around a name that must not be read as words."""

_PIECE: Final = re.compile(
    rf"{NAMED[0]}[^{NAMED[1]}]*{NAMED[1]}|[{_HAN}]+|[^\W\d_{_HAN}][\w+#&-]*(?:'[a-z]+)?|[°][a-z]?|\d+(?:[:-]\w+)?"
)
_LONGEST_PHRASE: Final = 7
_LONGEST_WORD: Final = 8
_SHORTEST_TYPO: Final = 5
_INFLECTED: Final = 4
"""Letters of the shortest word that carries an ending."""
_BARE: Final = 2
"""An ending is taken off only where more letters than these stay."""
_LONG: Final = 7

_IRREGULAR: Final = {
    line.split(":")[0]: line.split(":")[1]
    for line in (
        "used:use using:use uses:use went:go gone:go ate:eat eaten:eat drank:drink drunk:drink took:take taken:take"
        " bought:buy sold:sell left:leave taught:teach wrote:write written:write spoke:speak spoken:speak drove:drive"
        " driven:drive ran:run swam:swim sang:sing got:get gotten:get gave:give given:give grew:grow grown:grow"
        " slept:sleep woke:wake woken:wake rode:ride ridden:ride kept:keep lost:lose found:find broke:break broken:break"
        " wore:wear worn:wear knew:know known:know built:build spent:spend paid:pay met:meet born:born bore:bear"
        " became:become began:begin begun:begin did:do done:do had:have has:have was:be were:be been:be is:be are:be"
        " am:be made:make lives:live living:live lived:live dying:die died:die lying:lie studied:study studies:study"
        " women:woman men:man children:children wives:wife knives:knife evening:evening morning:morning wedding:wedding"
        " during:during something:something nothing:nothing everything:everything anything:anything being:be"
        " building:building pudding:pudding this:this his:his its:its us:us yes:yes glasses:glasses contacts:contacts"
        " glass:glass class:class always:always perhaps:perhaps news:news chess:chess tennis:tennis mathematics:math"
        " sports:sport does:do doing:do having:have has:have tying:tie better:better coming:come comes:come came:come"
        " moving:move moved:move moves:move hoping:hope hated:hate hating:hate hates:hate loved:love loving:love"
        " loves:love smoking:smoke smoked:smoke smokes:smoke named:name naming:name names:name prefers:prefer"
        " preferred:prefer preferring:prefer retired:retired retiring:retire engaged:engaged divorced:divorced"
        " married:married separated:separated widowed:widowed detailed:detailed relaxed:relaxed used-to:used-to"
        " dating:dating dated:date running:run cycling:cycle dancing:dance hiking:hike driving:drive riding:ride"
        " writing:write making:make taking:take giving:give leaving:leave commuting:commute commuted:commute"
        " relocated:relocate relocating:relocate graduated:graduate graduating:graduate based:based voting:vote"
        " addressed:address called:call calling:call calls:call biking:bike renting:rent rented:rent rents:rent owned:own"
        " owning:own owns:own sugar-free:sugar-free needs:need notes:note answers:answer replies:reply responses:response"
        " allergies:allergy allergic:allergic quitting:quit quits:quit stopped:stop dropping:drop dropped:drop"
        " switched:switch switching:switch changed:change changing:change moved:move shoes:shoe potatoes:potato"
        " tomatoes:tomato heroes:hero mangoes:mango buses:bus kilos:kilos olives:olive nursing:nursing nurses:nurse training:training"
        " brought:bring caught:catch chose:choose chosen:choose fell:fall fallen:fall forgot:forget forgotten:forget flew:fly"
        " flown:fly threw:throw thrown:throw hung:hang hid:hide hidden:hide stole:steal stolen:steal sat:sit stood:stand won:win"
        " held:hold sent:send lent:lend heard:hear saw:see seen:see fought:fight drew:draw drawn:draw shook:shake tore:tear"
        " torn:tear blew:blow laid:lay led:lead fed:feed collector:collect runner:run runners:run swimmer:swim cyclist:cycle climber:climb hiker:hike skier:ski biter:bite guitarist:guitar pianist:piano"
        " violinist:violin drummer:drum cellist:cello bassist:bass saxophonist:saxophone froze:freeze frozen:freeze felt:feel swept:sweep"
        " stuck:stick understood:understand dealt:deal crept:creep bred:breed care:care cares:care wine:wine wines:wine"
        " scare:scare scares:scare scared:scare car:car cars:car winning:win wins:win feet:feet teeth:teeth geese:goose"
    ).split()
}
_REGULAR: Final = frozenset(_IRREGULAR.values())
_VOWEL: Final = re.compile("[aeiouy]")


@cache
def stem(word: str) -> str:
    """Return a form that inflections of an English `word` share; spelling need not survive."""
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    if word in _REGULAR:
        return word
    if not word.isascii() or len(word) < _INFLECTED:
        return word
    if word.endswith("ies") and len(word) > _INFLECTED:
        return word[:-3] + "y"
    for ending in ("ing", "ed"):
        base = word[: -len(ending)]
        if word.endswith(ending) and len(base) > _BARE and _VOWEL.search(base):
            if base[-1] == base[-2] and base[-1] not in "lsz":
                base = base[:-1]
            return base.removesuffix("e")
    if word.endswith("ie"):
        return word[:-2] + "y"
    if word.endswith(("sses", "shes", "ches", "xes")):
        return word[:-2]
    if word.endswith("s") and not word.endswith(("ss", "us", "is")):
        word = word[:-1]
    return word[:-1] if word.endswith("e") and len(word) >= _INFLECTED else word


@dataclass(frozen=True, slots=True)
class Concept:
    """What a word stands for.

    `kind` is its class, "" for a word nobody taught us; "-" for words without content of their own.
    """

    name: str
    kind: str


_BEFORE_PLACES: Final = ("in", "to", "near", "around", "from")
"""Make a place of a word that is otherwise something else: Nice, Reading, Cork."""

_ADVERB: Final = re.compile(r"(?!family|italy|assembly|bully|belly|jelly|lily|ally)[a-z]{3,}ly")
_FILLER: Final = Concept("", "-")


@dataclass(frozen=True, slots=True)
class _Vocabulary:
    phrases: dict[tuple[str, ...], Concept]
    words: dict[str, Concept]
    containers: dict[str, frozenset[str]]
    typos: dict[str, str]


def _entries(blocks: dict[str, str]) -> Iterator[tuple[Concept, list[str], list[str]]]:
    for kind, block in blocks.items():
        for line in block.strip().splitlines():
            english, _, chinese = line.partition(" | ")
            names = [name.strip() for name in english.split(",")]
            yield Concept(names[0], kind), names, [word.strip() for word in chinese.split(",") if word.strip()]


def _all_entries() -> Iterator[tuple[Concept, list[str], list[str]]]:
    contrasts = {kind: contrast.words for kind, contrast in CONTRASTS.items()}
    for blocks in (contrasts, EVERYDAY, THINGS, LIVING, STYLE, FOOD, PEOPLE):
        yield from _entries(blocks)


def same_in_both() -> Iterator[tuple[list[str], list[str]]]:
    """Yield English words and phrases with the Chinese ones that say the same; places with their names in both."""
    for _, english, chinese in _all_entries():
        yield english, chinese
    for line in REGIONS.strip().splitlines():
        for place in line.replace(" > ", ",").split(","):
            names = [name.strip() for name in place.split("/") if name.strip()]
            yield [one for one in names if one.isascii()], [one for one in names if re.match(f"[{_HAN}]", one)]


@cache
def _vocabulary() -> _Vocabulary:
    phrases: dict[tuple[str, ...], Concept] = {}
    words: dict[str, Concept] = {}
    for word in ENGLISH.split():
        phrases[(stem(word),)] = _FILLER
    for phrase in PHRASES.split(","):
        phrases[_key(phrase)] = _FILLER
    for word in CHINESE.split():
        words[word] = _FILLER
    for concept, english, chinese in _all_entries():
        for name in english:
            phrases[_key(name)] = concept
        for word in chinese:
            words[word.replace(" ", "")] = concept
    containers = _gazetteer(phrases, words)
    typos: dict[str, str] = {}
    for key in phrases:
        if len(key) == 1 and len(key[0]) >= _SHORTEST_TYPO:
            for variant in _slips(key[0]):
                typos.setdefault(variant, key[0])
    return _Vocabulary(phrases, words, containers, typos)


def _gazetteer(phrases: dict[tuple[str, ...], Concept], words: dict[str, Concept]) -> dict[str, frozenset[str]]:
    """Add the places to the vocabulary; return what each lies in, all the way up."""
    inside: dict[str, set[str]] = {}

    def place(names: str) -> str:
        known, *others = [name.strip().casefold() for name in names.split("/")]
        concept = Concept(known, "place")
        for name in (known, *others):
            if name.isascii() or not re.match(f"[{_HAN}]", name):
                key = _key(name)
                if key not in phrases or len(key) > 1:
                    phrases[key] = concept
                for preposition in _BEFORE_PLACES if phrases[key] != concept else ():
                    phrases[(preposition, *key)] = concept
            else:
                words[name] = concept
        return known

    for line in REGIONS.strip().splitlines():
        region, _, parts = line.partition(" > ")
        around = place(region)
        for part in parts.split(","):
            if part.strip():
                inside.setdefault(place(part.strip()), set()).add(around)

    def above(name: str) -> frozenset[str]:
        direct = inside.get(name, set())
        return frozenset(direct).union(*(above(region) for region in direct))

    return {name: above(name) for name in inside}


def _key(phrase: str) -> tuple[str, ...]:
    return tuple(stem(piece) for piece in _PIECE.findall(phrase))


def _slips(word: str) -> Iterator[str]:
    """Yield how a hurried hand misspells `word`: neighbours swapped, a letter doubled or left out."""
    for at in range(1, len(word) - 1):
        yield word[:at] + word[at + 1] + word[at] + word[at + 2 :]
        yield word[:at] + word[at] + word[at:]
        if len(word) >= _LONG and word[at] == word[at + 1]:
            yield word[:at] + word[at + 1 :]
        if len(word) >= _LONG and word[at] in "aeiou":
            yield from (word[:at] + vowel + word[at + 1 :] for vowel in "aeiou" if vowel != word[at])


@cache
def spellings(name: str) -> tuple[frozenset[str], tuple[str, ...]]:
    """Return the stems of the words that a concept's names are made of, and its names in Chinese."""
    vocabulary = _vocabulary()
    english = (key for key, concept in vocabulary.phrases.items() if concept.name == name)
    chinese = (word for word, concept in vocabulary.words.items() if concept.name == name)
    return frozenset(word for key in english for word in key), tuple(chinese)


def lies_in(place: str, region: str) -> bool:
    """Return whether the place named `place` is known to be inside `region`."""
    return region in _vocabulary().containers.get(place, frozenset())


def is_region(name: str) -> bool:
    """Return whether `name` is a place others are known to lie in."""
    return any(name in around for around in _vocabulary().containers.values())


def concepts(text: str) -> list[Concept]:
    """Return the concepts of a folded `text` in their order, fillers left out."""
    vocabulary = _vocabulary()
    found: list[Concept] = []
    run: list[str] = []
    for piece in _PIECE.findall(text):
        if piece[0] == NAMED[0]:
            found += _english(run, vocabulary)
            run = []
            found.append(Concept(piece.strip("".join(NAMED)), "name"))
        elif re.match(f"[{_HAN}]", piece):
            found += _english(run, vocabulary)
            run = []
            found += _chinese(piece, vocabulary)
        else:
            run.append(piece.removesuffix("'s").removesuffix("'"))
    return [concept for concept in [*found, *_english(run, vocabulary)] if concept.kind != "-"]


def words_zh(text: str) -> list[str]:
    """Return the words of a folded `text`: names of concepts for words of two characters and more, else characters."""
    vocabulary = _vocabulary()
    found: list[str] = []
    for piece in _PIECE.findall(text):
        at = 0
        while at < len(piece):
            if not re.match(f"[{_HAN}]", piece):
                found.append(stem(piece))
                break
            for length in range(min(_LONGEST_WORD, len(piece) - at), 1, -1):
                concept = vocabulary.words.get(piece[at : at + length])
                if concept is not None:
                    found += [] if concept.kind == "-" else [concept.name]
                    break
            else:
                length = 1
                found.append(piece[at])
            at += length
    return found


def _english(pieces: list[str], vocabulary: _Vocabulary) -> Iterator[Concept]:
    keys = [stem(piece) for piece in pieces]
    at = 0
    while at < len(keys):
        for length in range(min(_LONGEST_PHRASE, len(keys) - at), 0, -1):
            concept = vocabulary.phrases.get(tuple(keys[at : at + length]))
            if concept is not None:
                break
        else:
            length = 1
            intended = vocabulary.typos.get(keys[at]) if len(keys[at]) >= _SHORTEST_TYPO else None
            concept = vocabulary.phrases[(intended,)] if intended else None
            concept = concept or Concept(keys[at], "-" if keys[at].isdigit() or _ADVERB.fullmatch(keys[at]) else "")
        yield concept
        at += length


def _chinese(piece: str, vocabulary: _Vocabulary) -> Iterator[Concept]:
    at = 0
    unknown = ""
    while at < len(piece):
        for length in range(min(_LONGEST_WORD, len(piece) - at), 0, -1):
            concept = vocabulary.words.get(piece[at : at + length])
            if concept is not None:
                break
        else:
            unknown += piece[at]
            at += 1
            continue
        if unknown:
            yield Concept(unknown, "")
            unknown = ""
        yield concept
        at += length
    if unknown:
        yield Concept(unknown, "")
