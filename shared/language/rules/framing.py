"""Context that decides whether a statement counts: hypotheses, reports, questions, pasted material."""

from __future__ import annotations

from shared.language.rules.phrases import phrase

POLITE = (
    r"(?:(?:please|pls|kindly|just|first|also|and|so|but|now|can you|could you|would you|will you"
    r"|would you mind|do you mind|i want you to|i need you to"
    r"|i'?d like you to|you must|you should|always|important|help me(?: to)?|(?:it'?s"
    r"|it is) important (?:that you|to)),?:? )"
)
"""Words before an English request."""

POLITE_ZH = (
    r"(?:请你?|麻烦你?|拜托|帮我|帮忙|给我|替我|你要?|一定要?|要|务必|千万要?|能不能|可以|可不可以|另外|对了|还有"
    r"|以后|我(?:想|要|希望)(?:让|请)?你|,|\s)"
)
"""Words before a Chinese request."""

_WORK = (
    r"(?:translate|rewrite|rephrase|reword|proofread|paraphrase|summari[sz]e|edit|polish|correct|fix|improve"
    r"|check|review"
    r"|analy[sz]e|classify|explain|grade|reply to|respond to|answer|continue|complete|format|shorten|expand"
    r"|convert|parse"
    r"|repeat|say|type|print|write|draft|compose)"
)
_WORK_ZH = (
    r"(?:翻译|润色|改写|修改|校对|总结|概括|分析|回复|续写|改一?下|检查|解释|分类|扩写|缩写|造句|仿写|朗读|重复|写)"
)
_TEXT = (
    r"(?:text|email|letter|essay|message|passage|story|poem|lyrics|transcript|dialog(?:ue)?|draft|quote|bio|cv|resume"
    r"|sentence|paragraph|statement|review|line|phrase|post)s?\b"
)

HYPOTHESIS = phrase(
    r"(?:if|what if|suppose|supposing|assum(?:e|ing)|let'?s (?:say|assume|pretend|imagine)|say i|hypothetically"
    r"|imagine"
    r"|pretend|in case|unless|even if|as if|were i|had i|should i|would i|i wish)\b"
    r"|如果|假如|假设|要是|倘若|假若|若|万一|假使|假装|想象|设想|比方说|比如说?我|就算|即使|哪怕|除非"
)
"""Opens a condition: the sentence states nothing."""

HARMLESS_CONDITION = phrase(
    r"if (?:possible|you\b|it (?:helps|matters)|relevant|needed|necessary|anyone)|in case (?:you|it)\b"
    r"|如果(?:可以|可能|你|方便|需要)|要是你|假如你"
)
"""A condition about the listener, after whose comma the person may still state a fact."""

ROLE_PLAY = phrase(
    r".{0,40}?\b(?:role-?\s?play|pretend|imagine (?:that )?(?:i|you|we|a)|in character|act (?:as|like) (?:an?"
    r"|my|the|if)|you(?:'re| are) (?:now )?(?:an?|my|the) (?!right|wrong|star|legend|lifesaver|genius|gem"
    r"|hero|good|great|bit|\w+ help))\b"
    r"|.{0,20}?(?:你现在是|你是一[个名位]|你来当|你当|扮演|假装|想象一下|设想一下|假扮)"
)
"""Opens fiction: nothing after it in the message is about the person."""

MATERIAL = phrase(
    rf"{POLITE}{{0,3}}{_WORK}\b[^\n]{{0,120}}?:(?!\d)"
    rf"|{POLITE}{{0,3}}{_WORK}\b[^\n]{{0,60}}?\b(?:this|these|the following|below)\b(?: \w{{1,15}}){{0,2}}? {_TEXT}"
    rf"|{POLITE}{{0,3}}translate (?:this|the following|these)\b"
    rf"|here(?:'s| is| are) (?:the|a|an|my) (?:\w{{1,15}} ){{0,2}}{_TEXT}"
    rf"|(?!我|本人|俺){POLITE_ZH}{{0,6}}(?:把|将)?[^\n我]{{0,20}}?{_WORK_ZH}[^\n]{{0,30}}?:(?!\d)"
    rf"|{POLITE_ZH}{{0,6}}(?:把|将)?{_WORK_ZH}(?:一下)?(?:这|下面|以下)(?:的)?(?:一)?(?:段|句|篇|封|些|个)?"
    r"(?:话|文|句|邮件|信|文字|内容|段落|文章)"
)
"""Announces text to work on; what follows it in the message is material, not the person's own statements."""

REPORT = phrase(
    r"(?!i\b|i'|my name)(?:[\w'\ufffc-]{1,30} ){1,5}?(?:says?|said|thinks?|thought|told|tells?|claims?|believes?"
    r"|asked|wrote"
    r"|writes|replied|heard|sings?|goes)\b"
    r"|(?!我|本人)[^\n,]{1,12}?(?:说|觉得|认为|表示|告诉|以为|问|写道|声称)"
)
"""Reported speech or thought: the first person inside it may be somebody else."""

REPORT_ENDS = phrase(
    r"\b(?:says?|said|asked|told (?:me|us|him|her|them)|wrote|writes|replied|goes|sings?|quote)[\s,:]{0,3}$"
    r"|(?:说|问|道|写)[\s,:]{0,3}$"
)
"""Ends a clause after which somebody's words follow."""

WORK = phrase(rf"{POLITE}{{0,3}}(?:{_WORK}|tell|create|generate)\b|{POLITE_ZH}{{0,6}}{_WORK_ZH}")
"""Asks for a text; what " and …" adds to it belongs to that text."""

REQUEST = phrase(
    rf"{POLITE}{{0,3}}(?:{_WORK}|create|generate|tell|give|make|show|help|suggest|recommend|find|list|describe|design"
    r"|build)\b|can\b|could\b|would\b|will\b|what\b|how\b|why\b|where\b|which\b|who\b|thanks?\b|ok(?:ay)?\b|right\b"
    r"|please\b|请?(?:帮|给|替)我|推荐|能不能|可以|怎么|谢谢|好吗|行吗"
)
"""Asks for something now; it is not itself worth remembering."""

SUPPOSING = phrase(
    r"(?:suppose|supposing|assum(?:e|ing)|let'?s (?:say|assume|pretend|imagine)|say i|hypothetically|imagine|pretend)\b"
    r"|假设|假装|想象|设想|假定"
)
"""Opens a hypothesis that the sentences after it share."""

NOT_MINE = phrase(
    r"(?:i'?m )?asking for (?:a|my|an?other) (?:\w{1,12} )?(?:friend|mate|colleague|neighbou?r|client"
    r"|customer|cousin)\b"
    r"|(?:帮|替|给|代)(?:我)?(?:一个|个)?(?:朋友|同事|同学|客户|邻居|闺蜜|别人)(?:问|打听|咨询|查)"
)
"""Says that what follows is about somebody else."""

COUPLE = phrase(r"(?:me and my|my) [\w-]{2,15}$|(?-i:[A-Z])[a-z]{1,15}$")
"""Words before "and I" that make "I" part of the same subject."""

CONDITION_HEAD = phrase(
    r"(?:when(?:ever)?|every time|any ?time|each time|for|in|on|at|after|before|during|as|while"
    r"|if i(?:'m)?) [^,]{2,60}$"
    r"|(?:每次|每回|每当|凡是|只要|但凡|平时|在|跟|和|帮我|给我)?[^,我你他]{0,4}(?:我)?[^,我你他]{1,12}"
    r"(?:的?时候?|的话|以后|之后|之前|以前|期间|方面|嘅时候|上)$"
)
"""A clause that may be the condition of the one after it."""

ASKING = phrase(
    r"(?:(?:and|so|but|ok(?:ay)?|well|hey|hi),? )?(?:do|does|did|is|are|am|was|were|has|have|had|don'?t|didn'?t"
    r"|isn'?t"
    r"|aren'?t|guess|what(?:'s)?|who(?:'s)?|whose|when|why|how|where|which) "
    r"|你(?:觉得|认为|知道|记得|还记得|猜|说)|是不是|难道|请问"
)
"""Opens a question that takes the whole sentence, its inner statements included."""

TAG = phrase(
    r"(?:right|correct|is(?:n'?t)? it|aren'?t i|don'?t i|am i|do i|did i|or not|no|yes)\W*$"
    r"|(?:对吗|对吧|是吗|是不是|对不对|还是|或者|没错吧)"
)
"""Turns the statement before it into a question."""

LEAD_IN = phrase(
    r"(?:by the way|btw|well|ok(?:ay)?|(?:hi|hello|hey)(?: there| \w{1,20}(?=[,!]))?|so|and|but|also|plus|oh"
    r"|actually|honestly"
    r"|frankly|fyi|for your information|just so you know|for (?:the record|context|reference)|to be honest|tbh"
    r"|as you know"
    r"|yes|yeah|yep|no(?=[,.!])|nope|sure|thanks|thank you|now|first(?: of all| off)?|secondly?|third|finally|anyway"
    r"|in general"
    r"|because|since|as(?= i\b| my\b)|given that|although|though|even though|while|however|sorry|ps|update|correction"
    r"|you should know(?: that)?|i (?:should|must|have to) (?:mention|say|add|tell you|admit)(?: that)?"
    r"|(?:i )?just (?:want(?:ed)? )?(?:you to know|to mention|to say)(?: that)?|i want(?:ed)? you to know(?: that)?"
    r"|let me (?:tell you|add|mention)(?: that)?|(?:some )?background|context|one more thing|in fact|important"
    r"|(?:a bit |a little |something |more )?about (?:me|myself)|if possible|reminder"
    r"|to answer your question|fwiw|fun fact|full disclosure|disclaimer|heads[\s-]up|quick (?:one|check"
    r"|question|context|note"
    r"|thing|heads up)|so yeah|look|listen|lol|haha|hah|ugh|hmm+|um|alright|yo|good (?:morning|evening"
    r"|afternoon)|i mean|you see"
    r"|(?:the )?thing is|(?:some|a bit of|my) (?:context|situation|background)|before i forget"
    r"|since you asked|for what it'?s worth"
    r"|i forgot to (?:mention|say|tell you)(?: that)?|asking because|(?:long )?story short|unfortunately"
    r"|luckily|sadly|apparently"
    r"|turns out|in my case|same here|me too|personally|for me|as for me|again"
    r"|not sure if (?:it'?s )?(?:relevant|it matters) but"
    r"|might be relevant|relevant|p\.?s|tbf|imo|imho|ngl|man|dude|mate|guys|hiya|greetings|dear \w{2,12}"
    r"|ya know|you know)\b[\s,.:!-]{0,4}"
    r"|(?:my )?(?:(?:dietary|diet|food|health|medical|travel) )?(?:needs?|preferences?|restrictions?"
    r"|requirements?|constraints?"
    r"|notes|profile|facts?) ?: "
    r"|(?:对了|另外|顺便(?:说一下|提一下|说)?|其实|嗯+|哦+|啊|你好|您好|嗨|哈喽|那个|说实话|老实说|坦白说|首先"
    r"|其次|还有|而且|但是"
    r"|但|不过|因为|由于|虽然|所以|既然|总之|关于我(?:自己)?|补充(?:一下|一点)?|背景|我跟你说|告诉你|你要知道"
    r"|需要说明的是|注意|说正事|言归正传|回到正题|情况是这样的?|是这样的?|说明一下|先说明一下|前提|话说|讲真"
    r"|坦白讲|老实讲"
    r"|跟你说(?:一下|个事)?|先说下|先说一下|先交代一下|(?:简单|先)?(?:自我)?介绍一下(?:我自己|自己)?"
    r"|自我介绍|事情是这样的?|我的情况(?:是)?|情况"
    r"|哈哈+|唉|哎|呃|额|诶|欸|早上好|晚上好|下午好|在吗|老师好|hi|hello|ps|补一句|多说一句|提一句|忘了说"
    r"|忘记说了?|唔好意思|不好意思|抱歉"
    r"|另|此外|再说一次|再说一遍|重申一下|如题|感觉|反正|结果|原来|没办法|毕竟|只是|然后|就是|再加上|加上"
    r"|实际上|事实上|说起来|说来惭愧|不瞒你说)"
    r"[\s,.:!、]{0,4}"
)
"""Words before a statement that are not part of it."""

STANDING_HEAD = phrase(
    r"(?:please )?(?:from now on|going forward|from here on|in (?:the )?future|henceforth)$"
    r"|(?:请)?(?:从现在(?:开始|起)|从今(?:以后|往后|天起|后)|今后|以后|往后)$"
)
"""Turns the request after its comma into a permanent instruction."""
