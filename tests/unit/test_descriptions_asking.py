"""However somebody asks, a description is about the same (X-06)."""

from __future__ import annotations

from shared.models.descriptions import understand
from tests.support.tables import each
from tests.unit.test_descriptions_everyday import NOW

ASKING = (
    "forget {}",
    "forget about {}",
    "please forget everything about {}",
    "can you forget {}?",
    "could you please delete what I told you about {}",
    "{} can go",
    "{} should be forgotten",
    "everything about {} should go",
    "I'd like you to forget {}",
    "I would like everything about {} deleted",
    "I want {} gone",
    "I want {} out of your memory",
    "I don't want you to remember {}",
    "I don't want {} in your notes",
    "I don't want anything about {} stored",
    "you don't need to keep {}",
    "you don't have to remember anything about {}",
    "no need to remember {} any more",
    "get rid of {}",
    "get rid of everything you have on {}",
    "bin everything on {}",
    "{}, bin it",
    "{} - delete please",
    "{}: forget it",
    "wipe all mentions of {}",
    "remove any trace of {}",
    "scrub {} from your memory",
    "take {} out of your notes",
    "let's forget about {}",
    "never mind what I said about {}, forget it",
    "what I said about {}, get rid of that",
    "whatever you know about {}, lose it",
    "all that stuff about {}, delete it please",
    "all the stuff I told you about {}",
    "delete your notes on {}",
    "delete all your memories of {}",
    "drop the thing about {}",
    "drop the bit about {}",
    "erase the part about {}",
    "you can forget {} now",
    "you may delete everything related to {}",
    "I'd prefer it if you didn't remember {}",
    "I'd rather you forgot {}",
    "pretend I never mentioned {}",
    "act as if you never heard about {}",
    "please don't keep anything about {}",
    "don't store {}",
    "stop remembering {}",
    "make {} disappear",
    "clear out everything regarding {}",
    "hey, forget {} please",
    "ok so delete {} thanks",
    "I need you to forget {}",
    "would you mind forgetting {}",
    "would you mind deleting everything on {}?",
    "please remove all references to {}",
    "nothing about {} should stay",
    "forget all of it about {}",
    "forget {}, all of it",
    "forget {}, every last bit",
    "forget {}. Completely.",
    "forget {}, we don't talk any more",
    "{} is none of your business, delete it",
    "{} is no longer relevant, remove it",
    "{} doesn't need to be remembered",
    "kindly purge any info on {}",
    "erase {} completely",
    "forget the whole {} thing",
    "forget the {} stuff",
    "I no longer want you to know about {}",
    "I don't want to see {} anymore",
    "strike {} from the record",
    "please have {} removed",
    "throw out what you know about {}",
    "anything to do with {}, chuck it",
    "anything involving {} must go",
    "anything mentioning {} should be deleted",
    "unremember {}",
    "everything connected with {}, gone",
    "I never want to hear about {} again",
    "don't bring up {} again",
)
ASKING_ZH = (
    "忘掉{}",
    "请忘了{}",
    "把{}忘了吧",
    "把{}删了",
    "{}删掉",
    "{}的事删掉吧",
    "{}不要了",
    "{}的都不要了",
    "{}的事别记了",
    "{}那个忘了吧",
    "{}这个忘掉",
    "关于{}的都忘掉",
    "关于{}的内容全部删除",
    "跟{}有关的都清掉",
    "和{}相关的东西全删",
    "有关{}的记录请清除",
    "{}相关的删一下",
    "别再记{}了",
    "不要记{}",
    "不用记{}了",
    "{}就不用记了",
    "{}就别留着了",
    "{}的事不要留着",
    "{}的东西都扔了吧",
    "帮我把{}的记忆清一下",
    "能不能把{}从记忆里删掉",
    "麻烦你忘记{}",
    "麻烦把{}的相关信息抹掉",
    "把你记得的{}的事都忘了",
    "我说过的{}的事忘了吧",
    "我之前跟你说的{}，删了吧",
    "我跟你提过的{}别记了",
    "{}你就当不知道",
    "{}的事当我没说",
    "{}的事就当没说过吧",
    "从你那儿把{}抹掉",
    "把{}从你那里去掉",
    "凡是提到{}的都删",
    "所有关于{}的，一个都别留",
    "{}，全删",
    "{}，都忘了吧",
    "{}的一切都忘掉",
    "{}的全部信息清空",
    "我不想让你记得{}",
    "我不希望你知道{}",
    "我不想再看到{}",
    "不想再提{}了",
    "{}可以忘了",
    "{}可以删了",
    "{}不需要了，删了吧",
    "{}这事儿忘了",
    "{}那件事删了吧",
    "{}这件事别再提了",
    "关于{}，统统忘掉",
    "你不需要知道{}",
    "没必要记{}",
    "请你彻底忘掉{}",
    "你能忘了{}吗",
    "可以把{}删了吗",
    "{}的部分去掉",
    "去掉{}",
    "清除{}",
    "{}的痕迹全清除",
    "忘了我说的{}",
    "忘掉我提到的{}吧",
    "{}这一段忘掉",
    "{}那段话删掉",
    "撤掉{}",
    "{}作废",
    "别留{}的任何东西",
    "{}什么的都删了",
    "{}的那些都别要了",
    "{}跟你没关系，删掉",
)


@each("asking", ASKING)
@each("what", ["Zelda", "my kayak", "my sister's wedding", "the half marathon"])
def test_a_description_is_what_is_left_when_the_asking_is_taken_off(asking: str, what: str) -> None:
    assert [target.terms for target in understand(asking.format(what), NOW).targets] == [
        target.terms for target in understand(what, NOW).targets
    ]


@each("asking", ASKING_ZH)
@each("what", ["小茉", "陶艺课", "我妹妹的婚礼", "马拉松"])
def test_the_same_in_chinese(asking: str, what: str) -> None:
    assert [target.terms for target in understand(asking.format(what), NOW).targets] == [
        target.terms for target in understand(what, NOW).targets
    ]


@each("ask", ["forget everything", "forget all of it", "delete everything about me", "忘掉一切", "把所有的都删了"])
def test_who_asks_for_everything_names_nothing(ask: str) -> None:
    wish = understand(ask, NOW)
    assert (wish.targets, wish.is_everything) == ((), True)


@each(
    ("ask", "about", "kept"),
    [
        ("forget the wedding but keep the budget", "wedding", "budget"),
        ("forget the wedding, all of it except the budget", "wedding", "budget"),
        ("forget the wedding, I still need the budget", "wedding", "budget"),
        ("婚礼的事都删掉，只留预算", "婚礼", "预算"),
        ("除了预算，婚礼的都删了吧", "婚礼", "预算"),
        ("婚礼的都删了，预算除外", "婚礼", "预算"),
        ("把婚礼的事都忘掉，预算留着", "婚礼", "预算"),
    ],
)
def test_what_is_to_be_kept_is_told_from_what_goes(ask: str, about: str, kept: str) -> None:
    wish = understand(ask, NOW)
    assert [term.said for term in wish.terms] == [about]
    assert kept in {term.said for target in wish.exceptions for term in target.terms}
