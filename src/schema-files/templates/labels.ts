/**
 * Labels of the published lists, by the codes of their concepts, in English, German, French, Spanish, Japanese and Arabic. The
 * themes are those of the directive in its official languages; those of ISO 19115 are in the languages of the EU as its regulation
 * on metadata has them, but for spelling. Neither has an official translation into Japanese or Arabic: these are ours (chosen).
 */
export const topics = `
001 | Farming | Landwirtschaft | Agriculture | Agricultura | 農業 | الزراعة
002 | Biota | Biota | Biote | Biota | 生物相 | الكائنات الحية
003 | Boundaries | Grenzen | Limites | Límites | 境界 | الحدود
004 | Climatology / Meteorology / Atmosphere | Klimatologie / Meteorologie / Atmosphäre | Climatologie / Météorologie / Atmosphère | Climatología / Meteorología / Atmósfera | 気候 / 気象 / 大気 | المناخ / الأرصاد الجوية / الغلاف الجوي
005 | Economy | Wirtschaft | Économie | Economía | 経済 | الاقتصاد
006 | Elevation | Höhenangaben | Altitude | Elevación | 標高 | الارتفاع
007 | Environment | Umwelt | Environnement | Medio ambiente | 環境 | البيئة
008 | Geoscientific Information | Geowissenschaften | Informations géoscientifiques | Información geocientífica | 地球科学情報 | معلومات علوم الأرض
009 | Health | Gesundheitswesen | Santé | Salud | 健康 | الصحة
010 | Imagery / Base Maps / Earth Cover | Bilddaten / Basiskarten / Bodenbedeckung | Imagerie / Cartes de base / Occupation des terres | Imágenes / Mapas básicos / Cubierta terrestre | 画像 / 基本図 / 土地被覆 | الصور / خرائط الأساس / الغطاء الأرضي
011 | Intelligence / Military | Aufklärung / Militär | Renseignement / Secteur militaire | Inteligencia / Sector militar | 諜報 / 軍事 | الاستخبارات / الشؤون العسكرية
012 | Inland Waters | Binnengewässer | Eaux intérieures | Aguas interiores | 内水域 | المياه الداخلية
013 | Location | Ortsangaben | Localisation | Localización | 位置 | الموقع
014 | Oceans | Meere | Océans | Océanos | 海洋 | المحيطات
015 | Planning / Cadastre | Planungsunterlagen / Kataster | Planification / Cadastre | Planificación / Catastro | 計画 / 地籍 | التخطيط / السجل العقاري
016 | Society | Gesellschaft | Société | Sociedad | 社会 | المجتمع
017 | Structure | Bauwerke | Structure | Estructuras | 構造物 | المنشآت
018 | Transportation | Verkehrswesen | Transport | Transporte | 交通 | النقل
019 | Utilities / Communication | Ver- und Entsorgung / Kommunikation | Services d’utilité publique / Communication | Servicios públicos / Comunicaciones | 公益事業 / 通信 | المرافق / الاتصالات
`

export const themes = `
rs | Coordinate reference systems | Koordinatenreferenzsysteme | Référentiels de coordonnées | Sistemas de coordenadas de referencia | 座標参照系 | أنظمة الإحداثيات المرجعية
gg | Geographical grid systems | Geografische Gittersysteme | Systèmes de maillage géographique | Sistema de cuadrículas geográficas | 地理グリッドシステム | أنظمة الشبكات الجغرافية
gn | Geographical names | Geografische Bezeichnungen | Dénominations géographiques | Nombres geográficos | 地名 | الأسماء الجغرافية
au | Administrative units | Verwaltungseinheiten | Unités administratives | Unidades administrativas | 行政単位 | الوحدات الإدارية
ad | Addresses | Adressen | Adresses | Direcciones | 住所 | العناوين
cp | Cadastral parcels | Flurstücke/Grundstücke (Katasterparzellen) | Parcelles cadastrales | Parcelas catastrales | 地籍区画 | القطع العقارية
tn | Transport networks | Verkehrsnetze | Réseaux de transport | Redes de transporte | 交通網 | شبكات النقل
hy | Hydrography | Gewässernetz | Hydrographie | Hidrografía | 水文 | الهيدروغرافيا
ps | Protected sites | Schutzgebiete | Sites protégés | Lugares protegidos | 保護区域 | المواقع المحمية
el | Elevation | Höhe | Altitude | Elevaciones | 標高 | الارتفاعات
lc | Land cover | Bodenbedeckung | Occupation des terres | Cubierta terrestre | 土地被覆 | الغطاء الأرضي
oi | Orthoimagery | Orthofotografie | Ortho-imagerie | Ortoimágenes | オルソ画像 | الصور المصححة تعامديًا
ge | Geology | Geologie | Géologie | Geología | 地質 | الجيولوجيا
su | Statistical units | Statistische Einheiten | Unités statistiques | Unidades estadísticas | 統計単位 | الوحدات الإحصائية
bu | Buildings | Gebäude | Bâtiments | Edificios | 建物 | المباني
so | Soil | Boden | Sols | Suelo | 土壌 | التربة
lu | Land use | Bodennutzung | Usage des sols | Uso del suelo | 土地利用 | استخدام الأراضي
hh | Human health and safety | Gesundheit und Sicherheit | Santé et sécurité des personnes | Salud y seguridad humanas | 人の健康と安全 | صحة الإنسان وسلامته
us | Utility and governmental services | Versorgungswirtschaft und staatliche Dienste | Services d’utilité publique et services publics | Servicios de utilidad pública y estatales | 公益事業と行政サービス | المرافق والخدمات الحكومية
ef | Environmental monitoring facilities | Umweltüberwachung | Installations de suivi environnemental | Instalaciones de observación del medio ambiente | 環境監視施設 | مرافق الرصد البيئي
pf | Production and industrial facilities | Produktions- und Industrieanlagen | Lieux de production et sites industriels | Instalaciones de producción e industriales | 生産・工業施設 | المرافق الإنتاجية والصناعية
af | Agricultural and aquaculture facilities | Landwirtschaftliche Anlagen und Aquakulturanlagen | Installations agricoles et aquacoles | Instalaciones agrícolas y de acuicultura | 農業・水産養殖施設 | المرافق الزراعية ومرافق تربية الأحياء المائية
pd | Population distribution — demography | Verteilung der Bevölkerung — Demografie | Répartition de la population — démographie | Distribución de la población — demografía | 人口分布 — 人口統計 | توزيع السكان — الديموغرافيا
am | Area management/restriction/regulation zones and reporting units | Bewirtschaftungsgebiete/Schutzgebiete/geregelte Gebiete und Berichterstattungseinheiten | Zones de gestion, de restriction ou de réglementation et unités de déclaration | Zonas sujetas a ordenación, a restricciones o reglamentaciones y unidades de notificación | 管理・制限・規制区域と報告単位 | مناطق الإدارة/التقييد/التنظيم ووحدات الإبلاغ
nz | Natural risk zones | Gebiete mit naturbedingten Risiken | Zones à risque naturel | Zonas de riesgos naturales | 自然災害リスク区域 | مناطق المخاطر الطبيعية
ac | Atmospheric conditions | Atmosphärische Bedingungen | Conditions atmosphériques | Condiciones atmosféricas | 大気の状態 | الأحوال الجوية
mf | Meteorological geographical features | Meteorologisch-geografische Kennwerte | Caractéristiques géographiques météorologiques | Aspectos geográficos de carácter meteorológico | 気象に関する地理的特徴 | المعالم الجغرافية المتعلقة بالأرصاد الجوية
of | Oceanographic geographical features | Ozeanografisch-geografische Kennwerte | Caractéristiques géographiques océanographiques | Rasgos geográficos oceanográficos | 海洋に関する地理的特徴 | المعالم الجغرافية المتعلقة بالمحيطات
sr | Sea regions | Meeresregionen | Régions maritimes | Regiones marinas | 海域 | المناطق البحرية
br | Bio-geographical regions | Biogeografische Regionen | Régions biogéographiques | Regiones biogeográficas | 生物地理区 | المناطق الجغرافية الأحيائية
hb | Habitats and biotopes | Lebensräume und Biotope | Habitats et biotopes | Hábitats y biotopos | 生息地とビオトープ | الموائل والبيئات الأحيائية
sd | Species distribution | Verteilung der Arten | Répartition des espèces | Distribución de las especies | 種の分布 | توزيع الأنواع
er | Energy resources | Energiequellen | Sources d’énergie | Recursos energéticos | エネルギー資源 | موارد الطاقة
mr | Mineral resources | Mineralische Bodenschätze | Ressources minérales | Recursos minerales | 鉱物資源 | الموارد المعدنية
`

/** Titles of the lists themselves, and of the annexes that themes are grouped by. */
export const titles = `
iso19115 | ISO topic categories | ISO-Themenkategorien | Catégories thématiques ISO | Categorías temáticas ISO | ISO トピックカテゴリ | فئات موضوعات ISO
inspire | INSPIRE themes | INSPIRE-Themen | Thèmes INSPIRE | Temas INSPIRE | INSPIRE テーマ | موضوعات INSPIRE
inspire-annexes | INSPIRE themes by annex | INSPIRE-Themen nach Anhang | Thèmes INSPIRE par annexe | Temas INSPIRE por anexo | INSPIRE テーマ（附属書別） | موضوعات INSPIRE حسب الملحق
annex1 | Annex I | Anhang I | Annexe I | Anexo I | 附属書 I | الملحق الأول
annex2 | Annex II | Anhang II | Annexe II | Anexo II | 附属書 II | الملحق الثاني
annex3 | Annex III | Anhang III | Annexe III | Anexo III | 附属書 III | الملحق الثالث
`
