"""What people eat and drink, may not have, and how they live on it."""

from __future__ import annotations

from typing import Final

FOOD: Final = {
    "meat": """
beef, steak | 牛肉, 牛排
pork, bacon | 猪肉, 培根
lamb, mutton | 羊肉, 羊
chicken, poultry | 鸡肉, 鸡
duck | 鸭肉, 鸭子, 鸭
turkey | 火鸡
ham, sausage | 火腿, 香肠
red meat | 红肉
offal, organ meat, innards, liver | 内脏, 下水, 动物内脏, 肝
venison, game meat | 鹿肉
goose | 鹅肉, 鹅
""",
    "seafood": """
fish | 鱼, 鱼肉
shellfish | 贝类, 甲壳类, 贝壳类
shrimp, prawn, prawns | 虾, 虾子, 虾仁
crab | 螃蟹, 蟹, 大闸蟹
lobster | 龙虾
oyster | 生蚝, 牡蛎, 蚝
mussel, clam | 蛤蜊, 青口
squid, octopus, calamari | 鱿鱼, 章鱼
salmon | 三文鱼, 鲑鱼
tuna | 金枪鱼, 鲔鱼
anchovy | 凤尾鱼, 鳀鱼
sashimi, raw fish | 生鱼片, 刺身
sushi | 寿司
""",
    "dairy": """
milk | 牛奶, 奶
cheese | 奶酪, 芝士, 起司
yogurt, yoghurt | 酸奶, 优格
cream | 奶油
butter | 黄油
ice cream | 冰淇淋, 冰激凌, 雪糕
""",
    "nut": """
peanut, groundnut | 花生, 花生米
almond | 杏仁, 巴旦木
walnut | 核桃
cashew | 腰果
hazelnut | 榛子
pistachio | 开心果
""",
    "eggs": """
egg | 鸡蛋, 蛋
""",
    "food": """
meat | 肉, 肉类, 荤, 荤菜, 荤腥
seafood | 海鲜, 海产, 水产
dairy | 乳制品, 奶制品
nut, tree nut | 坚果
lactose | 乳糖
gluten | 麸质, 面筋
wheat | 小麦
soy, soya, soybean | 大豆, 黄豆
tofu | 豆腐
sesame | 芝麻
coriander, cilantro | 香菜, 芫荽
onion | 洋葱
scallion, spring onion | 葱, 大葱, 小葱, 葱花
garlic | 大蒜, 蒜
ginger | 姜, 生姜
chili, chilli, chillies, chilies | 辣椒
spicy food, spicy, hot food, spicy dishes, spiciness, spice | 辣, 辣的, 辣味, 辣菜
sweet, sweets, candy, sugary food, dessert, desserts | 甜食, 甜的, 甜, 甜品, 糖果, 甜点
sugar | 糖
salt | 盐
salty | 咸
mushroom | 蘑菇, 香菇, 菌菇, 冬菇
tomato | 番茄, 西红柿
potato | 土豆, 马铃薯
sweet potato | 红薯, 地瓜
eggplant, aubergine | 茄子
carrot | 胡萝卜, 红萝卜
celery | 芹菜
spinach | 菠菜
cabbage | 白菜, 卷心菜
broccoli | 西兰花
cucumber | 黄瓜
bitter melon, bitter gourd | 苦瓜
okra | 秋葵
pumpkin | 南瓜
bean | 豆子, 豆类
lentil | 扁豆
olive | 橄榄
avocado | 牛油果, 鳄梨
vegetable, veg, veggies, vegetables | 蔬菜, 青菜, 菜
fruit | 水果
apple | 苹果
banana | 香蕉
mango | 芒果
pineapple | 菠萝, 凤梨
strawberry | 草莓
peach | 桃子, 桃
kiwi | 猕猴桃, 奇异果
orange | 橙子, 橘子
grapefruit | 西柚, 葡萄柚
grape | 葡萄
lychee | 荔枝
durian | 榴莲
watermelon | 西瓜
cherry | 樱桃
lemon | 柠檬
rice | 米饭, 大米, 饭
porridge, congee, oatmeal | 粥, 麦片, 燕麦
noodle | 面条, 面, 拉面
dumpling | 饺子, 水饺
bread | 面包
pasta, spaghetti | 意面, 意大利面
pizza | 披萨
burger, hamburger | 汉堡
fries, french fries, chips, crisps | 薯条, 薯片
hotpot, hot pot | 火锅
barbecue, bbq | 烧烤, 烤肉
soup | 汤
salad | 沙拉
fried food | 油炸食品, 炸物, 油炸
fast food, junk food | 快餐, 垃圾食品
takeaway, takeout, delivery food | 外卖
tempura | 天妇罗
curry | 咖喱
chocolate | 巧克力
cake | 蛋糕
cookie, biscuit | 饼干
snack | 零食
honey | 蜂蜜
raw food | 生食
msg | 味精
breakfast | 早餐, 早饭
lunch | 午餐, 午饭
dinner, supper | 晚餐, 晚饭
late-night snack, midnight snack | 夜宵, 宵夜
stinky tofu | 臭豆腐
food additive | 添加剂
""",
    "drink": """
coffee | 咖啡
black coffee, americano, long black | 美式, 美式咖啡, 黑咖啡
latte | 拿铁
espresso | 浓缩咖啡, 浓缩
decaf | 低因咖啡, 脱因咖啡
tea | 茶, 茶叶
green tea | 绿茶
black tea | 红茶
oolong, oolong tea | 乌龙茶, 乌龙
pu'er, puer, pu-erh | 普洱, 普洱茶
herbal tea, chamomile tea | 花草茶, 菊花茶
milk tea, bubble tea, boba | 奶茶, 珍珠奶茶
hot chocolate, cocoa | 热巧克力, 可可
oat milk | 燕麦奶
soy milk | 豆浆
juice | 果汁
cola, coke, pepsi | 可乐
sprite | 雪碧
soda, fizzy drink, soft drink | 汽水, 碳酸饮料
sparkling water, fizzy water | 气泡水, 苏打水
energy drink, red bull | 能量饮料, 功能饮料, 红牛
water | 水, 白开水
hot water | 热水, 开水
caffeine | 咖啡因
cold drink, iced drink, ice | 冷饮, 冰, 冰饮, 冰的
""",
    "alcohol": """
beer | 啤酒
wine, red wine, white wine | 红酒, 葡萄酒, 白葡萄酒
whisky, whiskey | 威士忌
spirits, liquor, baijiu | 白酒, 烈酒
cocktail | 鸡尾酒
vodka | 伏特加
gin | 金酒
""",
    "alcohol-any": """
alcohol, booze, alcoholic drink | 酒, 酒精, 酒水
""",
    "diet": """
vegetarian, veggie, veggo, vegetarianism, vegetarian diet, eat vegetarian, plant-based, meat-free | 素食者, 吃素, 素食, 素食主义者, 茹素, 食素, 吃斋
vegan, vegan diet, eat vegan, veganism | 纯素, 纯素食者, 全素, 纯素食, 严格素食
pescatarian, pescetarian | 鱼素, 鱼素者
omnivore, eat everything, eat anything | 什么都吃, 不挑食, 杂食
""",
    "diet-rule": """
halal | 清真
kosher | 犹太洁食
keto, ketogenic, low-carb, low carb | 生酮, 低碳水, 低碳
gluten-free, gluten free | 无麸质
dairy-free, dairy free | 无乳
lactose-free | 无乳糖
sugar-free, sugar free | 无糖
low-sodium, low salt, low-salt | 低盐, 少盐
intermittent fasting, fasting, 16:8 | 轻断食, 间歇性断食, 断食
lose weight, losing weight, slim down, on a diet, dieting | 减肥, 减重, 减脂, 瘦身
gain weight, bulk up, bulking | 增肥, 增重, 增肌
""",
}
"""Class → one concept a line: its name and English synonyms | Chinese ones."""
