"""A text as descriptions are compared with it: clauses with their places, words, stems and concepts."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import chain, groupby
from typing import Final

import rjieba

from shared.models.relations.concepts import Concept, concepts, stem
from shared.models.relations.folding import fold as meaning
from shared.models.relations.moods import mood
from shared.models.relations.subjects import ME, subject
from shared.models.rules.folding import fold as same_length
from shared.models.rules.sentences import Sentence, clauses, sentences

CJK: Final = "\u3400-\u4dbf\u4e00-\u9fff"
WORD: Final = re.compile(rf"[^\W_{CJK}]+(?:['-][^\W\d_{CJK}]+)*")
HAN: Final = re.compile(f"[{CJK}]+")
_POSSESSIVE: Final = re.compile(r"(?:'s|s'|')$")
_TRAILING: Final = " \t\n,;:–—-、.!?。…"
_NEW_SUBJECT: Final = re.compile(
    r"(?P<joint>,?\s+(?:and|but|while|whereas|although|though|because|so)\s+|,\s+|\s+[–—-]\s+)"
    r"(?=(?:(?-i:[A-Z][\w'’-]*)(?: (?-i:[A-Z])[\w'’-]*)?|(?:the|our|his|her|their|its|this|that|these|those|another)\s[\w'’-]+"
    r"(?:\s[\w'’-]+)?|everyone|everybody|nobody|there|he|she|they|it|we|i|my(?:\s[\w'’-]+){1,2})\s+(?:also |now |just |never |only |always )?"
    r"(?:is|are|was|were|has|have|had|does|did|do|can|could|will|would|should|must|isn|doesn|didn|won|"
    r"[a-z]+(?:s|ed)\b|got|went|came|took|gave|left|told|made|met|kept|bought|sold|lives?|works?|plays?|owns?|own|live|work|play|prefer|like|love|hate|need|want|use|drive|keep|eat|drink)\b)",
    re.IGNORECASE,
)
"""Where a clause with a subject of its own begins."""
ASIDE: Final = re.compile(
    r"(?:[,;]|\s)\s*(?:(?:and|but|oh|so|ah) )*(?:by the way|btw|honestly|to be honest|anyways?|anyhow|also|oh and|ps|in other news|on (?:an ?|a )?(?:un)?(?:related|other) note|unrelated|speaking of which|apart from that|other than that)\b,?\s+(?=\w.{7})"
    r"|[,;\s]\s*(?:对了|另外|还有|顺便(?:说|提)一?[句下]?|顺带一提|话说|老实说|说起来|此外|再就是|除此之外)[,:\s]*(?=\S.{3})"
)
"""What turns to something else within a sentence."""
_SUBJECT_ALONE: Final = re.compile(
    r"\s*(?:(?i:and|so|but|well|today|yesterday|last \w+|on \w+),? )?(?:(?i:my|our|the) [\w'’-]+(?: [A-Z][\w'’-]*)?|(?:[A-Z][\w'’-]*)(?: [A-Z][\w'’-]*)?)$"
)
"""What is only half of a subject: "Frank and I …", "my wife and Nora …"."""
_SENTIMENT: Final = re.compile(
    r"\b(?:hat(?:e|es|ed|ing)|dislik\w*|detest\w*|loath\w*|despis\w*|can not (?:stand|bear)|not a fan|avoid\w*)\b"
    r"|讨厌|厌恶|受不了|反感|嫌弃"
)
_OTHER_ZH: Final = re.compile(
    r"(?:(?:而且|并且|但是?|不过|所以|因为|还有|另外|同时|其实)?(?:我|我们|咱们?|俺)(?:的|家的?|们的?)?(?:另(?:外)?一?[个位名])?(?P<own>同事|同桌|同学|同屋|室友|舍友|邻居"
    r"|老板|领导|上司|下属|队友|搭档|闺蜜|(?:好|老|女|男)?朋友|[男女]友|好友|哥们儿?|发小|侄[子女]|外甥女?|[表堂][哥弟姐妹]|婆婆|公公|岳[父母]|丈母娘|姑姑?|舅舅?|叔叔?|阿姨|姨妈?|伯[父母伯]?"
    r"|爷爷|奶奶|外[公婆]|姥[姥爷]|[爸妈哥姐弟妹](?:爸|妈|哥|姐|弟|妹)?|父亲|母亲|对象|孩子|娃|宝宝|学生|客户|房东|租客|师傅|徒弟|教练|老师|医生|助理|秘书|保姆|前[男女]友|前任|前[妻夫]|老婆|老公|妻子|丈夫|儿子|女儿|孙[子女]|亲戚|家人|导师)"
    r"|(?P<name>[老小阿](?!时候|区|时|学|说|吃|心|孩|姐|猫|狗|组|镇|家|板|师|婆|公|是|外|有)[\u4e00-\u9fff](?=[\u4e00-\u9fff])))"
)
_OTHER: Final = re.compile(
    r"(?:and |but |so |also |because )?(?:my|our) (?P<own>[\w'-]+(?: [\w'-]+)?) (?:never |always |also |just |really |can|could |will |is |was |has |had |does|did|do |hates? |likes? |loves? |\w+s |\w+ed )"
)
_THING: Final = re.compile(
    r"\b(?:job|work|house|flat|apartment|home|car|bike|phone|email|number|name|birthday|age|weight|height|diet|hobby|school|office|gym|address|salary|plan|budget|colou?r|food|drink|book|film|movie|song|team|language|size|code|password|pin|locker|room|garden|kitchen|trip|holiday|wedding|surgery|operation|allerg\w+|health|knee|back|shoulder|heart|eyes?|hair|skin|blood)\b"
)
_LONGEST_SENTENCE: Final = 400
"""Characters of a sentence that are read together. Patterns cost up to the square of what they look at: this bounds what
they look at, and so a text costs in proportion to its length."""


def folded(text: str) -> str:
    """Return a text of the same length in lower case, simplified Chinese, plain width and European digits."""
    return same_length(text).translate(_PLAIN)


class _Plain(dict[int, str]):
    """Maps a code point to one character in lower case, a digit to the European one."""

    def __missing__(self, code: int) -> str:
        one = chr(code)
        low = str(unicodedata.decimal(one)) if one.isdecimal() else one.lower()
        self[code] = plain = low if len(low) == 1 else one
        return plain


_PLAIN: Final = _Plain()


@dataclass(frozen=True, slots=True)
class Word:
    """A word as folded, with half-open offsets; `capital` as it was typed."""

    text: str
    start: int
    end: int
    capital: bool = False

    @property
    def bare(self) -> str:
        """The word without a possessive ending, and without hyphens: "wi-fi" is "wifi"."""
        return self.owner.replace("-", "")

    @property
    def owner(self) -> str:
        """The word without a possessive ending."""
        return _POSSESSIVE.sub("", self.text) if "'" in self.text else self.text


@dataclass(frozen=True, eq=False)
class Clause:
    """One clause of a text: half-open offsets of its words, without the closing marks.

    `joint` is where what joins it to the clause before begins; `soft`: it shares that one's subject.
    """

    text: str
    original: str
    start: int
    end: int
    joint: int
    sentence: int
    soft: bool = False

    @property
    def joins(self) -> str:
        """What joins it to the clause before."""
        return self.text[self.joint : self.start]

    @property
    def said(self) -> str:
        return self.text[self.start : self.end]

    @property
    def typed(self) -> str:
        return self.original[self.start : self.end]

    @cached_property
    def bares(self) -> frozenset[str]:
        return frozenset(word.bare for word in self.words)

    @cached_property
    def words(self) -> tuple[Word, ...]:
        return words(self.original, self.start, self.end)

    @cached_property
    def stems(self) -> frozenset[str]:
        return frozenset(stem(word.bare) for word in self.words)

    @cached_property
    def meaning(self) -> str:
        return meaning(self.typed)

    @cached_property
    def concepts(self) -> frozenset[Concept]:
        return frozenset(concepts(self.meaning))

    @cached_property
    def names_of_words(self) -> frozenset[str]:
        """What each word stands for by itself: nearly `names`, at a hundredth of the cost."""
        return frozenset(name for word in self.words for name in names_of_word(word.owner))

    @cached_property
    def names(self) -> frozenset[str]:
        """Names of concepts that are taught: those words of several languages share."""
        return frozenset(one.name for one in self.concepts if one.kind and one.kind != "-")

    @cached_property
    def kinds(self) -> frozenset[str]:
        return frozenset(one.kind for one in self.concepts)

    @cached_property
    def subject(self) -> str:
        """Whom it is about: the speaker, a relative or acquaintance, a name as "?name", or somebody else."""
        found = subject(self.meaning, self.typed)
        if found == ME and (other := _OTHER_ZH.match(self.said)):
            return f"?{other['own'] or other['name']}"
        if found == ME and (other := _OTHER.match(self.said)) and not _THING.search(self.said[: other.end()]):
            return f"?{other['own']}"
        return found

    @cached_property
    def denies(self) -> bool:
        """Whether it says no, or says that somebody dislikes something."""
        found = mood(self.meaning)
        return found.denied != bool(_SENTIMENT.search(self.meaning))


@dataclass(frozen=True, eq=False)
class Reading:
    """A text and its clauses in order."""

    original: str
    text: str
    clauses: tuple[Clause, ...]
    sentences: tuple[tuple[int, int], ...] = field(default=())

    @cached_property
    def by_sentence(self) -> tuple[range, ...]:
        """The places of the clauses of each sentence."""
        grouped = groupby(range(len(self.clauses)), key=lambda place: self.clauses[place].sentence)
        places = [list(group) for _, group in grouped]
        return tuple(range(one[0], one[-1] + 1) for one in places)

    def together(self, clause: Clause) -> tuple[Clause, ...]:
        """Return the clauses of a clause's sentence, itself among them."""
        places = self.by_sentence[clause.sentence]
        return self.clauses[places.start : places.stop]


@lru_cache(maxsize=20_000)
def read(original: str) -> Reading:
    """Return a text with its clauses; sentences end where they do for whoever learns from them."""
    text = folded(original)
    typed = same_length(original)
    found: list[Clause] = []
    spans: list[tuple[int, int]] = []
    for sentence in chain.from_iterable(_bounded(text, sentence) for sentence in sentences(text)):
        pieces = list(_pieces(text, typed, sentence))
        if pieces:
            found += [Clause(text, original, start, end, joint, len(spans), soft) for start, end, joint, soft in pieces]
            spans.append((sentence.start, sentence.end))
    return Reading(original, text, tuple(found), tuple(spans))


def _bounded(text: str, sentence: Sentence) -> Iterator[Sentence]:
    """Yield a sentence in parts that are not too long to be read together; they part at a comma or space, if there is one."""
    start = sentence.start
    while sentence.end - start > _LONGEST_SENTENCE:
        halfway, longest = start + _LONGEST_SENTENCE // 2, start + _LONGEST_SENTENCE
        end = 1 + (
            text.rfind(",", halfway, longest) if "," in text[halfway:longest] else text.rfind(" ", halfway, longest)
        )
        yield Sentence(start, end or longest, asks=False)
        start = end or longest
    yield Sentence(start, sentence.end, sentence.asks)


def _pieces(text: str, typed: str, sentence: Sentence) -> list[tuple[int, int, int, bool]]:
    """Return (start, end, joint, soft) of the clauses of a sentence."""
    cuts = {(sentence.start, sentence.start): False}
    last = sentence.start
    for one in clauses(typed, sentence):
        if one.start > sentence.start and not _is_half_a_subject(typed, cuts, last):
            cuts[last, one.start] = one.soft
        last = one.end
    new = [found.span("joint") for found in _NEW_SUBJECT.finditer(typed, sentence.start, sentence.end)]
    asides = [found.span() for found in ASIDE.finditer(text, sentence.start, sentence.end)]
    cuts = {
        cut: soft
        for cut, soft in cuts.items()
        if not any(a <= cut[1] and cut[0] < b for a, b in asides if a > sentence.start)
    }
    for start, end in sorted([*asides, *new], key=lambda span: (span not in asides, span)):
        overlaps = any(start < after and end > before for before, after in cuts)
        if not overlaps and not _is_half_a_subject(typed, cuts, start):
            cuts[start, end] = False
    places = sorted(cuts)
    pieces: list[tuple[int, int, int, bool]] = []
    for index, (joint, start) in enumerate(places):
        end = places[index + 1][0] if index + 1 < len(places) else sentence.end
        body = text[start:end]
        first = start + len(body) - len(body.lstrip())
        last = start + len(body.rstrip(_TRAILING))
        if last > first:
            pieces.append((first, last, joint, cuts[joint, start]))
    return pieces


def _is_half_a_subject(typed: str, cuts: Iterable[tuple[int, int]], place: int) -> bool:
    begun = max(after for _, after in cuts if after <= place)
    return _SUBJECT_ALONE.match(typed, begun, place) is not None


@lru_cache(maxsize=50_000)
def names_of_word(word: str) -> frozenset[str]:
    """Return the names of the concepts a folded word stands for; of its parts only when it is none by itself."""
    found = concepts(meaning(word)) or concepts(meaning(word.replace("-", "")))
    return frozenset(one.name for one in found if one.kind not in ("", "-"))


@lru_cache(maxsize=20_000)
def words(original: str, start: int, end: int) -> tuple[Word, ...]:
    """Return the words of a stretch of text, Chinese ones as they are segmented with unknown words joined."""
    text = folded(original[start:end])
    found = [
        Word(one[0], start + one.start(), start + one.end(), original[start + one.start()].isupper())
        for one in WORD.finditer(text)
    ]
    for run in HAN.finditer(text):
        place = start + run.start()
        for piece in rjieba.cut(run[0]):
            found.append(Word(piece, place, place + len(piece)))
            place += len(piece)
    return tuple(sorted(found, key=lambda word: word.start))
