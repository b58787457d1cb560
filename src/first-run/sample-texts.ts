/** Texts of the sample content, in English, German, French, Spanish, Japanese and Arabic. */
export const sampleTexts = `
region | Region | Region | Région | Región | 地域 | المنطقة
regionText | Where the content lies | Wo der Inhalt liegt | Où se situe le contenu | Dónde se sitúa el contenido | コンテンツの場所 | موقع المحتوى
world | World | Welt | Monde | Mundo | 世界 | العالم
europe | Europe | Europa | Europe | Europa | ヨーロッパ | أوروبا
alps | Alps | Alpen | Alpes | Alpes | アルプス | جبال الألب
baltic | Baltic Sea | Ostsee | Mer Baltique | Mar Báltico | バルト海 | بحر البلطيق
africa | Africa | Afrika | Afrique | África | アフリカ | أفريقيا
topic | Topic | Thema | Thème | Tema | テーマ | الموضوع
topicText | What the content is about | Wovon der Inhalt handelt | De quoi traite le contenu | De qué trata el contenido | コンテンツの主題 | موضوع المحتوى
water | Water | Wasser | Eau | Agua | 水 | المياه
forests | Forests | Wälder | Forêts | Bosques | 森林 | الغابات
transport | Transport | Verkehr | Transport | Transporte | 交通 | النقل
state | State | Stand | État | Estado | 状態 | الحالة
draft | Draft | Entwurf | Brouillon | Borrador | 下書き | مسودة
inReview | In review | In Prüfung | En cours de révision | En revisión | 確認中 | قيد المراجعة
approved | Approved | Freigegeben | Approuvé | Aprobado | 承認済み | معتمد
maps | Sample maps | Beispielkarten | Exemples de cartes | Mapas de ejemplo | サンプルの地図 | خرائط نموذجية
mapsText | A group with categories of its own. | Eine Gruppe mit eigenen Kategorien. | Un groupe avec ses propres catégories. | Un grupo con categorías propias. | 独自のカテゴリを持つグループです。 | مجموعة لها فئات خاصة بها.
sampleTag | sample | Beispiel | exemple | ejemplo | サンプル | نموذج
lakes | Alpine lakes | Alpenseen | Lacs alpins | Lagos alpinos | アルプスの湖 | بحيرات الألب
lakesText | Lakes above 1,000 metres. | Seen in mehr als 1.000 Metern Höhe. | Lacs à plus de 1 000 mètres d’altitude. | Lagos a más de 1.000 metros de altitud. | 標高 1,000 メートルを超える湖です。 | بحيرات على ارتفاع يزيد على 1000 متر.
lakesTag | lakes | Seen | lacs | lagos | 湖 | بحيرات
ferries | Ferries of the Baltic Sea | Fähren auf der Ostsee | Ferries de la mer Baltique | Transbordadores del mar Báltico | バルト海のフェリー | عبّارات بحر البلطيق
ferriesText | Routes with their timetables. | Linien mit ihren Fahrplänen. | Lignes avec leurs horaires. | Rutas con sus horarios. | 航路とその時刻表です。 | خطوط العبّارات ومواعيدها.
ferriesTag | ferries | Fähren | ferries | transbordadores | フェリー | عبّارات
forest | Forest cover | Waldbedeckung | Couverture forestière | Cubierta forestal | 森林被覆 | الغطاء الحرجي
forestText | How much of the land is forest. | Wie viel des Landes Wald ist. | Part du territoire couverte de forêts. | Qué parte del territorio es bosque. | 土地に占める森林の割合です。 | نسبة الغابات من مساحة الأرض.
forestTag | forest | Wald | forêt | bosque | 森林 | غابات
wells | Wells | Brunnen | Puits | Pozos | 井戸 | آبار
wellsText | Not sorted into categories yet. | Noch keiner Kategorie zugeordnet. | Pas encore classés par catégories. | Aún sin clasificar por categorías. | まだカテゴリに分類されていません。 | لم تُصنَّف في فئات بعد.
wellsTag | water | Wasser | eau | agua | 水 | مياه
`
