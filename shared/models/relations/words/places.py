"""Where people live: regions and the places inside them, in both languages."""

from __future__ import annotations

from typing import Final

REGIONS: Final = """
China/中国 > Beijing/Peking/北京, Shanghai/上海/魔都, Tianjin/天津, Chongqing/重庆, Hong Kong/香港/HK, Macau/澳门
Guangdong/广东 > Guangzhou/广州, Shenzhen/深圳, Foshan/佛山, Dongguan/东莞, Zhuhai/珠海, Huizhou/惠州, Zhongshan/中山, Shantou/汕头, Zhanjiang/湛江, Jiangmen/江门, Zhaoqing/肇庆, Chaozhou/潮州, Meizhou/梅州, Jieyang/揭阳, Shaoguan/韶关, Maoming/茂名, Qingyuan/清远
Zhejiang/浙江 > Hangzhou/杭州, Ningbo/宁波, Wenzhou/温州, Shaoxing/绍兴, Jiaxing/嘉兴, Jinhua/金华, Yiwu/义乌, Huzhou/湖州, Zhoushan/舟山, Lishui/丽水, Quzhou/衢州
Jiangsu/江苏 > Nanjing/南京, Suzhou/苏州, Wuxi/无锡, Changzhou/常州, Yangzhou/扬州, Nantong/南通, Xuzhou/徐州, Zhenjiang/镇江, Yancheng/盐城, Lianyungang/连云港, Kunshan/昆山, Huai'an/淮安
Fujian/福建 > Fuzhou/福州, Xiamen/厦门, Quanzhou/泉州, Zhangzhou/漳州, Putian/莆田, Longyan/龙岩, Ningde/宁德, Sanming/三明, Nanping/南平
Sichuan/四川 > Chengdu/成都, Mianyang/绵阳, Leshan/乐山, Yibin/宜宾, Luzhou/泸州, Nanchong/南充, Deyang/德阳, Zigong/自贡, Dazhou/达州, Panzhihua/攀枝花
Hubei/湖北 > Wuhan/武汉, Yichang/宜昌, Xiangyang/襄阳, Jingzhou/荆州, Shiyan/十堰, Huangshi/黄石, Enshi/恩施, Xiaogan/孝感, Huanggang/黄冈
Hunan/湖南 > Changsha/长沙, Zhuzhou/株洲, Xiangtan/湘潭, Hengyang/衡阳, Yueyang/岳阳, Changde/常德, Zhangjiajie/张家界, Chenzhou/郴州, Yiyang/益阳, Loudi/娄底
Henan/河南 > Zhengzhou/郑州, Luoyang/洛阳, Kaifeng/开封, Nanyang/南阳, Xinxiang/新乡, Anyang/安阳, Xuchang/许昌
Hebei/河北 > Shijiazhuang/石家庄, Baoding/保定, Tangshan/唐山, Langfang/廊坊, Handan/邯郸, Qinhuangdao/秦皇岛, Zhangjiakou/张家口, Cangzhou/沧州, Chengde/承德
Shandong/山东 > Jinan/济南, Qingdao/青岛, Yantai/烟台, Weihai/威海, Weifang/潍坊, Zibo/淄博, Linyi/临沂, Rizhao/日照, Jining/济宁, Tai'an/泰安
Shanxi/山西 > Taiyuan/太原, Datong/大同, Linfen/临汾, Yuncheng/运城
Shaanxi/陕西 > Xi'an/西安, Baoji/宝鸡, Xianyang/咸阳, Yan'an/延安, Hanzhong/汉中
Liaoning/辽宁 > Shenyang/沈阳, Dalian/大连, Anshan/鞍山, Dandong/丹东, Jinzhou/锦州
Jilin/吉林 > Changchun/长春, Yanbian/延边
Heilongjiang/黑龙江 > Harbin/哈尔滨, Daqing/大庆, Qiqihar/齐齐哈尔, Mudanjiang/牡丹江
Anhui/安徽 > Hefei/合肥, Wuhu/芜湖, Huangshan/黄山, Bengbu/蚌埠, Anqing/安庆, Fuyang/阜阳
Jiangxi/江西 > Nanchang/南昌, Jiujiang/九江, Ganzhou/赣州, Jingdezhen/景德镇, Shangrao/上饶
Guangxi/广西 > Nanning/南宁, Guilin/桂林, Liuzhou/柳州, Beihai/北海, Yulin/玉林
Yunnan/云南 > Kunming/昆明, Dali/大理, Lijiang/丽江, Xishuangbanna/西双版纳, Qujing/曲靖
Guizhou/贵州 > Guiyang/贵阳, Zunyi/遵义
Hainan/海南 > Haikou/海口, Sanya/三亚
Gansu/甘肃 > Lanzhou/兰州, Dunhuang/敦煌, Tianshui/天水
Ningxia/宁夏 > Yinchuan/银川
Qinghai/青海 > Xining/西宁
Inner Mongolia/内蒙古/内蒙 > Hohhot/呼和浩特, Baotou/包头, Ordos/鄂尔多斯
Xinjiang/新疆 > Urumqi/乌鲁木齐, Kashgar/喀什
Tibet/西藏 > Lhasa/拉萨
China/中国 > Guangdong, Zhejiang, Jiangsu, Fujian, Sichuan, Hubei, Hunan, Henan, Hebei, Shandong, Shanxi, Shaanxi, Liaoning, Jilin, Heilongjiang, Anhui, Jiangxi, Guangxi, Yunnan, Guizhou, Hainan, Gansu, Ningxia, Qinghai, Inner Mongolia, Xinjiang, Tibet
Beijing > Haidian/海淀, Chaoyang/朝阳, Xicheng/西城, Dongcheng/东城, Tongzhou/通州, Fengtai/丰台, Changping/昌平, Daxing/大兴
Shanghai > Pudong/浦东, Xuhui/徐汇, Jing'an/静安, Minhang/闵行, Hongkou/虹口, Yangpu/杨浦, Putuo/普陀, Changning/长宁, Songjiang/松江, Jiading/嘉定
Guangzhou > Tianhe/天河, Panyu/番禺, Yuexiu/越秀, Baiyun/白云, Haizhu/海珠
Shenzhen > Nanshan/南山, Futian/福田, Luohu/罗湖, Longgang/龙岗, Bao'an/宝安
Foshan > Shunde/顺德, Nanhai/南海, Chancheng/禅城
Hangzhou > Xihu/西湖区, Yuhang/余杭, Binjiang/滨江, Xiaoshan/萧山
Hong Kong > Kowloon/九龙, Mong Kok/旺角, Sha Tin/沙田, Central/中环, Wan Chai/湾仔, Causeway Bay/铜锣湾, Tsim Sha Tsui/尖沙咀, Sham Shui Po/深水埗, Kwun Tong/观塘, Yuen Long/元朗, Tuen Mun/屯门, Tsuen Wan/荃湾, Tai Po/大埔, North Point/北角, Tseung Kwan O/将军澳
Taiwan/台湾 > Taipei/台北, New Taipei/新北, Kaohsiung/高雄, Taichung/台中, Tainan/台南, Hsinchu/新竹, Taoyuan/桃园, Keelung/基隆, Hualien/花莲, Chiayi/嘉义, Banqiao/板桥
Japan/日本 > Tokyo/东京, Osaka/大阪, Kyoto/京都, Yokohama/横滨, Nagoya/名古屋, Sapporo/札幌, Fukuoka/福冈, Kobe/神户, Okinawa/冲绳, Hokkaido/北海道, Nara/奈良
South Korea/Korea/韩国 > Seoul/首尔, Busan/釜山, Incheon/仁川, Daegu/大邱, Jeju/济州
Singapore/新加坡 > Jurong, Tampines, Bedok
Malaysia/马来西亚 > Kuala Lumpur/吉隆坡, Penang/槟城, Johor Bahru/新山
Thailand/泰国 > Bangkok/曼谷, Chiang Mai/清迈, Phuket/普吉
Vietnam/越南 > Hanoi/河内, Ho Chi Minh City/Saigon/胡志明市, Da Nang/岘港
Indonesia/印尼/印度尼西亚 > Jakarta/雅加达, Bali/巴厘岛
Philippines/菲律宾 > Manila/马尼拉, Cebu/宿务
India/印度 > Mumbai/孟买, Delhi/New Delhi/德里/新德里, Bangalore/Bengaluru/班加罗尔, Chennai, Hyderabad, Kolkata, Pune
Australia/澳大利亚/澳洲 > Sydney/悉尼, Melbourne/墨尔本, Brisbane/布里斯班, Perth/珀斯, Adelaide/阿德莱德, Canberra/堪培拉, Hobart, Darwin
New Zealand/新西兰 > Auckland/奥克兰, Wellington/惠灵顿, Christchurch/基督城
United States/USA/US/America/the States/美国 > New York/NYC/纽约, Los Angeles/LA/洛杉矶, San Francisco/旧金山/三藩市, Seattle/西雅图, Chicago/芝加哥, Boston/波士顿, Texas/德州/得州, California/加州, Florida, Washington/华盛顿, Portland/波特兰, Denver, Miami/迈阿密, Philadelphia/费城, Atlanta/亚特兰大, Las Vegas/拉斯维加斯, Detroit, Phoenix, Oregon, Ohio, Colorado, Michigan, Illinois, New Jersey, Massachusetts, Arizona, Georgia, Virginia, Minneapolis, Pittsburgh, Hawaii/夏威夷, Vermont, Maine
California > Los Angeles, San Francisco, San Diego/圣地亚哥, San Jose/圣何塞, Sacramento, Oakland, Berkeley
Texas > Houston/休斯顿, Austin/奥斯汀, Dallas/达拉斯, San Antonio
Canada/加拿大 > Toronto/多伦多, Vancouver/温哥华, Montreal/蒙特利尔, Ottawa/渥太华, Calgary/卡尔加里, Edmonton, Quebec/魁北克, Halifax, Winnipeg, Victoria, Ontario/安大略, British Columbia, Alberta, Nova Scotia, Manitoba
United Kingdom/UK/Britain/Great Britain/英国 > England/英格兰, Scotland/苏格兰, Wales/威尔士, Northern Ireland
England > London/伦敦, Manchester/曼彻斯特, Birmingham/伯明翰, Leeds/利兹, Liverpool/利物浦, Bristol, Bath, Exeter, Oxford/牛津, Cambridge/剑桥, York, Brighton, Sheffield, Nottingham, Newcastle, Hull, Stockport, Reading, Norwich, Leicester, Plymouth, Southampton, Cornwall, Devon, Kent, Yorkshire, Durham, Derby, Coventry, Canterbury
Scotland > Edinburgh/爱丁堡, Glasgow/格拉斯哥, Aberdeen, Dundee, Inverness, Aviemore, Leith, Stirling, Perthshire
Wales > Cardiff/加的夫, Swansea, Bangor, Newport
Northern Ireland > Belfast, Derry
Ireland/爱尔兰 > Dublin/都柏林, Cork, Galway, Limerick, Waterford, Sligo
France/法国 > Paris/巴黎, Lyon/里昂, Marseille/马赛, Nice/尼斯, Bordeaux/波尔多, Toulouse, Lille, Nantes, Strasbourg, Rennes, Grenoble
Germany/德国 > Berlin/柏林, Munich/慕尼黑, Hamburg/汉堡市, Frankfurt/法兰克福, Cologne/科隆, Leipzig/莱比锡, Stuttgart/斯图加特, Dresden, Bremen, Düsseldorf/Dusseldorf, Hanover, Bonn, Nuremberg, Freiburg, Heidelberg, Bavaria
Austria/奥地利 > Vienna/维也纳, Graz, Salzburg, Linz, Innsbruck
Switzerland/瑞士 > Zurich/苏黎世, Geneva/日内瓦, Basel, Bern, Lausanne
Netherlands/Holland/荷兰 > Amsterdam/阿姆斯特丹, Rotterdam/鹿特丹, Utrecht, Eindhoven, The Hague/海牙, Groningen, Leiden, Delft, Haarlem, Maastricht
Belgium/比利时 > Brussels/布鲁塞尔, Antwerp, Ghent, Bruges, Leuven, Liège
Spain/西班牙 > Madrid/马德里, Barcelona/巴塞罗那, Valencia, Seville, Malaga, Bilbao, Granada, Zaragoza
Portugal/葡萄牙 > Lisbon/里斯本, Porto/波尔图, Braga, Coimbra, Faro
Italy/意大利 > Rome/罗马, Milan/米兰, Turin, Naples, Florence/佛罗伦萨, Bologna, Venice/威尼斯, Genoa, Palermo, Verona, Sicily
Norway/挪威 > Oslo/奥斯陆, Bergen, Trondheim, Stavanger, Tromsø
Sweden/瑞典 > Stockholm/斯德哥尔摩, Malmö/Malmo, Gothenburg, Uppsala, Lund, Västerås, Linköping
Denmark/丹麦 > Copenhagen/哥本哈根, Aarhus, Odense, Aalborg
Finland/芬兰 > Helsinki/赫尔辛基, Tampere, Turku, Oulu, Espoo
Iceland/冰岛 > Reykjavik
Poland/波兰 > Warsaw/华沙, Krakow/Kraków, Gdansk/Gdańsk, Gdynia, Wroclaw/Wrocław, Poznan, Lodz
Czechia/Czech Republic/捷克 > Prague/布拉格, Brno, Ostrava
Hungary/匈牙利 > Budapest/布达佩斯, Debrecen
Slovenia > Ljubljana, Maribor
Croatia/克罗地亚 > Zagreb, Split
Greece/希腊 > Athens/雅典, Thessaloniki
Turkey/土耳其 > Istanbul/伊斯坦布尔, Ankara, Izmir
Romania > Bucharest, Cluj
Ukraine/乌克兰 > Kyiv/基辅, Lviv, Odesa
Russia/俄罗斯 > Moscow/莫斯科, Saint Petersburg/St Petersburg/圣彼得堡, Vladivostok
Estonia > Tallinn, Tartu
Latvia > Riga
Lithuania > Vilnius, Kaunas
United Arab Emirates/UAE/阿联酋 > Dubai/迪拜, Abu Dhabi/阿布扎比
Israel/以色列 > Tel Aviv, Haifa
Egypt/埃及 > Cairo/开罗, Alexandria
South Africa/南非 > Cape Town/开普敦, Johannesburg/约翰内斯堡, Durban
Kenya/肯尼亚 > Nairobi
Nigeria > Lagos, Abuja
Brazil/巴西 > São Paulo/Sao Paulo/圣保罗, Rio de Janeiro/Rio/里约
Argentina/阿根廷 > Buenos Aires
Mexico/墨西哥 > Mexico City, Guadalajara, Monterrey
Chile/智利 > Santiago
Colombia > Bogota, Medellin
Peru/秘鲁 > Lima
Europe/欧洲 > Ireland, France, Germany, Austria, Switzerland, Netherlands, Belgium, Spain, Portugal, Italy, Norway, Sweden, Denmark, Finland, Iceland, Poland, Czechia, Hungary, Slovenia, Croatia, Greece, Romania, Ukraine, Estonia, Latvia, Lithuania, United Kingdom
Asia/亚洲 > China, Taiwan, Japan, South Korea, Singapore, Malaysia, Thailand, Vietnam, Indonesia, Philippines, India
"""
"""One region a line: its names, ">", the places in it, each with its names parted by "/" (English first)."""
