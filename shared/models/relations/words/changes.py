"""Ways to say that something is over, undecided, or only for a while: regular expressions over folded text, one a line."""

from __future__ import annotations

from typing import Final

_ENDED_EN: Final = r"""
call(?:ed|ing)? (?:it |the \w+ )?off
call(?:ed|ing)? it quits
pack(?:ed|ing)(?: \w+){0,3} in
jack(?:ed|ing) (?:\w+ ){0,3}in
bin(?:ned|ning)
chuck(?:ed|ing) (?:\w+ ){0,3}(?:out|in|away)
toss(?:ed|ing) (?:\w+ ){0,3}(?:out|away)
trashed
junked
totall?ed
writ(?:e|ing) (?:it|the \w+) off
wrote (?:\w+ ){0,3}off
written off
(?:got|was|been|had \w+ \w+) (?:stolen|nicked|pinched)
wip(?:ed|ing) (?!my (?:nose|hands|eyes))
delet(?:ing|e) my
deactivat(?:ed|ing)
terminat(?:ed|ing)
unplugged
disconnected
unfollowed
has ended
have ended
(?:has |have |just )?expired
(?:has |have |just )?lapsed
(?:has|have) run out(?! of)
ran out(?! of)
back to normal
(?:is|are|was|were|came back|all) (?:all )?(?:clear|negative|normal)
under control
shelv(?:ed|ing)
abandon(?:ed|ing)
walked (?:away from|out on|out of)
(?:backed|pulled|bowed|opted|dropped|checked) out
(?:am|is|are|was|got|getting|came|coming|stepping|finally) out of (?:the|my|our|his|her|there)
gone back to the
(?:went|going) back to the (?:shop|council|owner|shelter|breeder|library|landlord|lender|dealer)
hand(?:ed|ing) (?:\w+ ){0,3}(?:back|over)
gave (?:\w+ ){0,3}back
giv(?:en|ing) (?:\w+ ){0,3}back
sent (?:\w+ ){0,3}back
(?:turned|switched|shut) (?:\w+ ){0,3}off
shaved (?:\w+ ){0,3}off
chopped (?:\w+ ){0,2}off
(?:ripp|tear|tor|tore|stripp|pull|knock)(?:ed|ing|n|e)? (?:\w+ ){0,3}(?:out|down)(?! (?:to|for|with)\b)
(?:ripped|torn|pulled|thrown|kicked|cut|phased) out
taken out(?! an?\b)
gave (?:my|the|our) (?:\w+ ){1,3}to (?!me\b)
(?:got|had|getting|having) (?:my|the|our) (?:\w+ ){1,2}(?:off|out|removed|taken out|taken off|done away with)
left the (?:bakery|café|cafe|shop|hospital|office|bank|factory|warehouse|restaurant|bar|pub|salon|garage|farm|library|clinic|surgery|nursery|hotel|lab|studio|agency|council|army|navy|police|force|church|union|party|post office|school|museum)
took (?:out|off|down) (?:my|the|our)
demolished
evicted
(?:has |have |was |were |got )?(?:disbanded|dissolved|discontinued|axed|revoked|suspended)
went (?:bust|under)
folded (?=last|in|yesterday|this)
(?:band|group|club|team|company|firm|startup|choir) (?:has |have |just |finally )*(?:split|split up|folded|broken up|broke up|disbanded)
out of (?:hospital|rehab|prison|jail|isolation|quarantine|intensive care|the woods|plaster|action for good)
(?:closed|shut) (?:its doors|for good|down)
done and dusted
(?:am |all |so )?done with
(?:am|is|are) done(?=$|[,.;!])
had enough of
fed up and
off the (?:books|list|team|market|meds|waiting list|hook|fags|booze|wagon|sauce)
(?:got|get|getting|am|is|are) off (?=the |that |my )
clean (?:now|since|for)
sober (?:now|since|for)
(?:in|into|went into) remission
(?:has|have) (?:cleared up|gone away|disappeared|vanished|worn off|died down|run its course)
(?:cleared up|went away|wore off)
(?:got|getting|am|was|been) (?:fired|sacked|the sack|let go|laid off|axed|dumped|evicted|kicked out|chucked out)
(?:overcame|overcome|conquered|shook off|shaken off)
stood down
step(?:ped|ping) (?:down|back|away)
walked out
parted (?:ways|company)
moved on from
(?:have|has|had) moved off
(?:came|coming|come|gone|went) off (?:the|my|of)
wean(?:ed|ing)? (?:\w+ ){0,2}off
swor[en] off
cut (?:\w+ ){1,3}out
(?:to|might|may|could|should|shall|maybe|perhaps|probably|will|would|can|must) (?:\w+ ){0,2}(?:quit|stop|sell|cancel|drop|dump|bin|scrap|shave|chop|get rid|give (?:\w+ ){0,3}(?:up|away|back)|hand (?:\w+ ){0,3}back|send (?:\w+ ){0,3}(?:back|away)|resign|leave|pack (?:\w+ ){0,3}in|pull out|back out|withdraw|step down|retire|delete|uninstall|unsubscribe|trade in|part with|let (?:\w+ ){0,3}go|break up|split up|call (?:\w+ ){0,3}off|come off|rehome|close|shut|replace|swap)
turf(?:ed|ing) (?:\w+ ){0,3}out
un-?install(?:ed|ing)
unsubscrib(?:ed|ing)
opt(?:ed|ing) out
hung up my
said goodbye to
saying goodbye to
bid farewell
(?:is|are) no more
bit the dust
kicked the bucket
let (?:\w+ ){1,3}go
ground to a halt
put (?:\w+ ){1,3}(?:to rest|behind me|out to pasture)
ceased
ceasing
"""

_ENDED_ZH: Final = r"""
退坑|弃坑|弃游|退游|弃用|弃疗|弃养|弃剧|弃了
报废|报销了|作废|失效|(?:已经|都|早|早就)(?:过期|到期)|过期了
停更|停一[个周天阵]|停[几两三]|先停|停下|停了(?!车)|停办|停业|停课|停运|停播|停产|停刊|停掉|停服|停售|停跑|停练|停吃|停喝
关门|关张|倒闭|歇业|打烊了|散了|散伙|黄了|泡汤|告吹|吹了(?=$|[,.])
断更|断供|断联|断掉|断奶|断舍离
退货|退还|退回|退给|退房|退掉|退伍|退群|退会|退团|退队|退社|退圈|退婚|退保|退股|退学
还回去|还给(?!你|我)|收回|召回|被没收|吊销|撤销|撤了|撤掉|撤回
解约|解除|解聘|解绑|解雇|终止|中止|终结|告一段落|画上句号
拆除|拆掉|拆了|铲了|铲掉|砍了|砍掉|砸了|砸掉|摔坏|摔碎|弄坏|烧坏|报损
被偷|偷了|没了(?=$|[,.;!])|弄丢|搞丢|遗失|丢失
洗手不干|金盆洗手|收山|收手|封笔|挂靴|隐退|卸任|下台|交接(?:完|了|出去)|交出去
转手|转出|转给|转卖|出手了|出掉|甩卖|甩掉|送走|送去.{1,6}养|送了人|过户(?:给|了)|变卖|处理掉|处理了
拉黑|卸了|卸掉|删掉|删除|删光|清空|清掉|格式化|格掉|注销|销户|销毁|停机|停号|携号转网
剃了|剃掉|剃光|刮了|刮掉|洗掉|祛了|祛掉|摘除|切除|割了|割掉|拔了|拔掉|拔光|取出来|取出了
痊愈|治愈|恢复正常|正常了|达标了|转阴|阴性|没事了|治好|好利索|好全了|好透|根治|消退|消失|退烧|脱敏
戒掉|戒断|戒了|戒除|断了|断干净|不碰了|不沾了
辞掉|辞去|辞退|炒鱿鱼|走人了|离了职|离岗|内退
拜拜|再见了|说再见|分道扬镳|一拍两散|绝交
腾退|清仓|清退|搬空|腾空|撤出|迁出
落榜|落选|夭折|搁置|搁浅|叫停|喊停|打住|作罢
"""

_FINISHED: Final = (
    r"\b(?:have |has |just |finally )?(?:finished|completed|wrapped up|got through)(?! (?:at|work|early|late|by|school at)\b)"
    r"|(?<=[\u4e00-\u9fff])(?:[读念学上听看刷追打玩做考修写练用吃喝练跑走]完)(?:了|啦|$|[,.])|结业|结课|完结|通关|杀青"
)
"""What is finished goes on no more, though it may be liked as before."""

_TENTATIVE_EN: Final = r"""
half (?:a mind|tempted|thinking|inclined|considering)
(?:of|in) two minds
toying with
(?:they|we|people|management|work|hr) (?:are |is |were |have been |keep )?talking (?:about|of)
flirting with
playing with the idea
entertaining the (?:idea|thought)
weighing (?:up|whether|it)
mulling|mull
pondering
contemplating|contemplate
(?:umming|ummin|hemming)
(?:wonder|wondered|wondering) (?:if|whether|about)
(?:reconsider|rethink|re-think|re-evaluat|reassess|revisit)(?:ing|e)?
(?:question|doubt)ing (?:my|whether|if|the)
(?:have|having|got|get|getting) (?:\w+ )?(?:doubts|cold feet|second thoughts|wobbles|reservations)
wavering|wobbling|dithering|faltering
not (?:so |too |really |entirely |quite |at all |100% |totally |completely |fully |that )?(?:sure|certain|convinced|decided|settled|set|confirmed|final|official|sold on)
(?:nobody|no one|no-one|nothing|none of it|hr|they) (?:is |has |have |have not |has not |not |been )*(?:confirmed|decided|final|fixed|settled|official|signed)
(?:have|has|is) (?:not|yet to) (?:been )?(?:confirm|decide|made up|settle|agree|fix|sign|finali)\w*
yet to (?:decide|confirm|hear|settle)
(?:can|could) not (?:decide|make up my mind|choose|tell (?:if|whether))
(?:up in the air|on the cards|in the pipeline|in talks|touch and go|a toss-?up|pencilled in|penciled in|tbc|tbd|tba|subject to|provisional|provisionally|tentative|tentatively|potential|potentially)
(?:there is|there are|been) (?:\w+ )?(?:talk|talks|rumou?rs?|whispers|a chance|every chance|a possibility)
(?:rumou?r|word) (?:has it|is|on the street)
rumou?rs?
(?:wait|waiting) (?:to hear|for (?:the )?(?:results?|confirmation|approval|news|an answer|a decision))
fingers crossed
we shall see|we will see|will see (?:how|if|what|whether)|see (?:how|if|whether|what) (?:it|i|we|that|the|my|he|she|they)
dunno|do not know|idk|no idea|no clue|who knows|hard to (?:say|tell)|not clear|unclear|jury is (?:still )?out
(?:it )?(?:looks|seems|sounds|feels|looking) like (?!this|that)
(?:seems?|appears?) (?:i|to|that|we|my)\b
(?:i )?(?:suspect|reckon|fancy|figure|imagine|assume|believe|presume) (?:i|we|it|that|my|he|she|they|maybe)\b
(?:part|a bit|half) of me
(?:been )?(?:meaning|tempted|inclined|itching|thinking|keen|eager) to
(?:starting|beginning|started) to (?:think|wonder|doubt|question|feel|suspect|like|enjoy|warm)
(?:come|coming|came) (?:a?round) to
warming (?:up )?to
(?:less|not) (?:and less |so |as |that |quite as |nearly as )?(?:keen|sure|convinced|into|fussed|bothered|scared|fond|strict|interested)(?: on| about| in| of| these days| as| anymore)?
(?:getting|got|am|growing|bit|little) (?:a bit |a little |pretty |so |rather |slowly |kind of |sort of )?(?:bored|tired|sick|weary|fed up) (?:of|with)
losing interest|lost (?:some|a bit of) interest|cooling on|going off|drifting away|on the verge|verging on
(?:ought|need) to (?:think|decide|see|check|ask|get)
should (?:probably|maybe|perhaps|really|possibly)
(?:sooner or later|at some point|someday|some day|in theory|in principle|if all goes|all being well|touch wood|hopefully|ideally|allegedly|supposedly)
(?:give|giving|gave|try|trying) (?:\w+ ){0,4}(?:a go|a try|a shot|another go|another chance|a whirl|a spin)
try(?:ing)? (?:it )?out
(?:kind|sort) of (?!the|food|music|film|person|thing|animal|work|book|game|bike|car)
(?:guess|suppose|maybe|perhaps|possibly|probably|presumably|conceivably|arguably)
(?:would not|will not|do not) (?:rule|mind) (?:it |that )?out
not ruling out
(?:thinking|thought|think) (?:i|we|it|he|she|my|maybe|of|about)\b(?! you| should|t)
(?:eyeing|eyeing up|sizing up|shopping around|scouting|looking (?:at|into|around|to)|sounding out|applied (?:for|to)|put in for|put my name down)
"""

_TENTATIVE_ZH: Final = r"""
琢磨|寻思|盘算|掂量|斟酌|权衡|观望|摇摆|拿不定|举棋不定|两难|纠结|犹疑|迟疑|踌躇
心动|种草|有意向|有意|有点想|有些想|想试|手痒|蠢蠢欲动|动了.{0,4}念头|有.{0,3}(?:念头|想法|冲动)|起了.{0,4}心思
说不好|说不清|说不上来|不好说|难说|搞不好|弄不好|保不齐|保不准|指不定|备不住|没准儿|兴许|许是|没谱|没数|心里没底|不敢肯定|不敢保证
貌似|看样子|看起来|看着像|听说(?:要|可能|会)|据说|传言|传闻|风声|有风声|小道消息|内部消息|有消息说
有可能|不一定|不见得|未必|难保|悬|存疑|怀疑|质疑|动摇|没把握|没底|不踏实|不坚定|没那么坚定|没那么确定
待定|未定|未决定|未确定|未批|没批|没下来|没通知|没落实|没敲定|没最终|没最后|没确认|没签|没谈妥|没谈好|没商量好|还没说死|没说死|没个准|没准信
等通知|等消息|等结果|等批|等回复|等确认|再议|再定|再看(?!书|剧|电影)|再查|再问问|再观察|再说吧|以后再说|走着瞧|走一步看一步|到时候看|视情况|看.{1,8}(?:怎么样|如何|情况|再说|再定|再决定)
不知道(?:还|要|该|会|能|是|算|自己)|不知要|不晓得|不清楚|谁知道|搞不清|分不清|没搞懂|没弄清|记不清
(?!(?:是不是|好不好|行不行|对不对|能不能|可不可|会不会说|要不要我))([\u4e00-\u9fff])不\1
还是算了|要不还是|该不该|是不是该|是时候|值不值
没那么.{0,6}了|不怎么.{0,6}了|没以前.{0,6}了|腻了|有点腻|玩腻|吃腻|看腻|喝腻|倦了|有点烦|兴趣不大|没兴趣了|提不起.{0,3}兴趣|热情.{0,3}(?:退|减|淡)|淡了
争取|指望|奢望|盼着|期望|憧憬|向往|打主意|打起.{0,4}主意|有望|预计|预备|拟|计划着|谋划|筹划|筹备|酝酿|商量|讨论|谈着
谂紧|谂住|谂下|考虑紧|可能会|或会|想紧
试试看|试一下|试水|先试|试着|试试|尝试
"""

_PASSING_EN: Final = r"""
for (?:a|the next|another|the last|about a|around a|roughly a) (?:few|couple|while|bit|fortnight|week|month|day|night|term|semester|quarter|season|year)(?: of)?(?: \w+)?
for (?:two|three|four|five|six|seven|eight|nine|ten|\d+|several|some|a few) (?:more )?(?:days|weeks|months|nights)
(?:borrow(?:ed|ing)?|on loan|loaner|loan car|courtesy (?:car|bike)|rental(?: car)?|hire car|spare (?:phone|laptop|bike|room))
(?:stopgap|tide (?:me|us) over|makeshift|stop-gap|between (?:flats|homes|places|houses|leases))
trial(?:l?ing)?|trial run|testing out|try(?:ing)? out|experimenting
(?:second(?:ed|ment)|sublet(?:ting)?|house-?sitting|cat-?sitting|dog-?sitting|pet-?sitting|babysitting)
(?:just|only) (?:for )?(?:today|tonight|tomorrow|this (?:week|month|once|weekend|term|season|summer|winter))
(?:today|tonight|this week|this weekend) only
(?:crashing|kipping|bunking|couch-?surfing|sofa-?surfing|dossing|staying) (?:on|at|with|in|round|over)
couch-?surfing|sofa-?surfing
(?:stuck with|making do|make do|filling in|stepping in|covering|subbing|standing in|temping|locum|interim)
(?:signed off|furlough(?:ed)?|benched|sidelined|sitting (?:it |this )?out|laid up|convalescing)
(?:while|whilst|as long as|till|until|til|'til) (?:my|the|our|i|we|it|he|she|they|mine|ours|his|her|their|this|that|things)
(?:the )?rest of (?:the|this) (?:week|month|year|term|season|summer|winter)
(?:over|through(?:out)?|during|up to|up until|till|until|til) (?:the )?(?:christmas|easter|ramadan|lent|exams?|summer|winter|spring|autumn|holidays?|harvest|january|february|march|april|june|july|august|september|october|november|december|term|half-term)
(?:this|these) (?:few|couple of|past|next|two|three) (?:days|weeks|months)
(?:detox|cleanse|no-?spend|whole30|sober october|veganuary|movember)
(?:for|over) (?:the )?(?:christmas|easter|summer|holidays|season) (?:rush|period|break|holidays|season)
this (?:season|term|semester)
(?:in the meantime|meanwhile|for the mo|for the time|pro tem|ad interim|temporary)
"""

_PASSING_ZH: Final = r"""
凑合|将就|应急|救急|顶一阵|顶几天|替.{1,6}(?:班|课|岗|几天)|代课|代管|代养|帮.{1,6}(?:带|养|看)(?:几天|一阵|一周|一个月|两天)
借调|借用|借来|借宿|借读|蹭住|寄住|寄养|寄放|租来的|备用机|代步|周转|过渡期
[两二三四五六七八九十几\d] ?(?:天|周|个星期|个礼拜|个月)(?:内)?(?:先|都先|暂)|(?:过|这|头|前|近|接下来|未来)(?:一?两|[几二三四五六\d]+) ?(?:天|周|个月|个星期)
一时|短暂|暂且|姑且|权且|暂代|暂定|暂用|暂缓|暂不|暂未|暂别|眼下先|目前先
试运行|试行|试用期?|试点|试水期|体验(?:期|装|几天|一个月)
养伤|养病|休养|卧床|住院|病休|坐月子|恢复期|术后|拆线前|修好(?:之)?前|(?<!我)在修(?!读|行|炼)|送修|返修|维修|检修|装修(?:的时候|这|期间|着)|封控
集训|轮岗|挂职|赶(?:工|项目|论文)|项目期
农忙|考试周|考前|月底前|年前|年底前|开学前|毕业前|过完.{1,4}前|直到|等到|到.{1,6}为止
"""


def _one_of(lines: str, *, english: bool) -> str:
    alternatives = "|".join(line.strip() for line in lines.strip().splitlines())
    return rf"\b(?:{alternatives})\b" if english else f"(?:{alternatives})"


ENDED: Final = f"{_one_of(_ENDED_EN, english=True)}|{_one_of(_ENDED_ZH, english=False)}"
FINISHED: Final = _FINISHED
TENTATIVE: Final = f"{_one_of(_TENTATIVE_EN, english=True)}|{_one_of(_TENTATIVE_ZH, english=False)}"
PASSING: Final = f"{_one_of(_PASSING_EN, english=True)}|{_one_of(_PASSING_ZH, english=False)}"
