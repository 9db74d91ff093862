-- An event log as the release before has left it: 47 events in the batches 7 to 41, with the verdicts that serving gave them.
-- The batches 7 to 26 have an intent. The release had not committed it.
CREATE TABLE batches (
    offset INTEGER PRIMARY KEY AUTOINCREMENT,
    count INTEGER NOT NULL,
    events_through INTEGER NOT NULL,
    rows BLOB NOT NULL
  ) STRICT;
CREATE TABLE marks (
    partition INTEGER PRIMARY KEY CHECK (partition = 0),
    incarnation TEXT NOT NULL,
    epoch INTEGER NOT NULL DEFAULT 0,
    committed INTEGER NOT NULL DEFAULT 0,
    committed_events INTEGER NOT NULL DEFAULT 0,
    intent_first INTEGER,
    intent_last INTEGER,
    intent_origin TEXT
  ) STRICT;
CREATE TABLE dead_letters (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    put_aside_at TEXT NOT NULL,
    reason TEXT NOT NULL,
    line TEXT NOT NULL
  ) STRICT;
CREATE TABLE installation (partition INTEGER PRIMARY KEY CHECK (partition = 0), note TEXT NOT NULL) STRICT;
INSERT INTO batches VALUES (7, 1, 7, CAST('["evt_01m8cg1zqyempvmhyqf6fke9s4","ws_01m8cg1ehef228h0045vw7rrdc","ad_01m8cg1pvef228h0ewev94tpp9","impression","valid","9396bedbe26a6e31",1795715825406]
' AS BLOB));
INSERT INTO batches VALUES (8, 1, 8, CAST('["evt_01m8cg1zr0f1trramweym46mgj","ws_01m8cg1ehef228h0045vw7rrdc","ad_01m8cg1ke7f228h09mmsynq9he","impression","valid","11ac45e4c44ba094",1795715825408]
' AS BLOB));
INSERT INTO batches VALUES (9, 1, 9, CAST('["evt_01m8cg1zr5ephshgv8eykdeyvk","ws_01m8cg1ehef228h0045vw7rrdc","ad_01m8cg1pvef228h0ewev94tpp9","impression","valid","d8eba00d1caedba6",1795715825413]
' AS BLOB));
INSERT INTO batches VALUES (10, 1, 10, CAST('["evt_01m8cg1zr8fpmr5r3yv2wf0gnq","ws_01m8cg1ehef228h0045vw7rrdc","ad_01m8cg1ke7f228h09mmsynq9he","impression","valid","36090cfb3571f875",1795715825416]
' AS BLOB));
INSERT INTO batches VALUES (11, 1, 11, CAST('["evt_01m8cg1zr9eearg00zpcca3r5d","ws_01m8cg1ehef228h0045vw7rrdc","ad_01m8cg1pvef228h0ewev94tpp9","impression","valid","992fb9b2aa4ea7b5",1795715825417]
' AS BLOB));
INSERT INTO batches VALUES (12, 1, 12, CAST('["evt_01m8cg1zrafs9ve04fqacd5wv0","ws_01m8cg1ehef228h0045vw7rrdc","ad_01m8cg1ke7f228h09mmsynq9he","impression","valid","10e08f3ff951ab36",1795715825418]
' AS BLOB));
INSERT INTO batches VALUES (13, 1, 13, CAST('["evt_01m8cg1zrcek8tbzeewtfd4twr","ws_01m8cg1ehef228h0045vw7rrdc","ad_01m8cg1pvef228h0ewev94tpp9","impression","valid","ec0a3de82656db5e",1795715825420]
' AS BLOB));
INSERT INTO batches VALUES (14, 1, 14, CAST('["evt_01m8cg1zreev79qvjbf2p9fta3","ws_01m8cg1ehef228h0045vw7rrdc","ad_01m8cg1ke7f228h09mmsynq9he","impression","valid","4a9b511124ea4692",1795715825422]
' AS BLOB));
INSERT INTO batches VALUES (15, 1, 15, CAST('["evt_01m8cg1zrgen5bjzm822zh1dse","ws_01m8cg1ehef228h0045vw7rrdc","ad_01m8cg1pvef228h0ewev94tpp9","impression","valid","42dde332720f024e",1795715825424]
' AS BLOB));
INSERT INTO batches VALUES (16, 1, 16, CAST('["evt_01m8cg1zrhf5trdpwdd8qgfpxk","ws_01m8cg1ehef228h0045vw7rrdc","ad_01m8cg1ke7f228h09mmsynq9he","impression","valid","c503fb266a7966d5",1795715825425]
' AS BLOB));
INSERT INTO batches VALUES (17, 1, 17, CAST('["evt_01m8cg1zrjfdbr7eh4302z9swc","ws_01m8cg1ehef228h0045vw7rrdc","ad_01m8cg1pvef228h0ewev94tpp9","impression","valid","7b6479b05b882485",1795715825426]
' AS BLOB));
INSERT INTO batches VALUES (18, 1, 18, CAST('["evt_01m8cg1zrkechacg341yaz2dde","ws_01m8cg1ehef228h0045vw7rrdc","ad_01m8cg1ke7f228h09mmsynq9he","impression","valid","9b5aa951e06c44bc",1795715825427]
' AS BLOB));
INSERT INTO batches VALUES (19, 1, 19, CAST('["evt_01m8cg1zrmengby04sn6rf0ank","ws_01m8cg1ehef228h0045vw7rrdc","ad_01m8cg1pvef228h0ewev94tpp9","impression","duplicate","9396bedbe26a6e31",1795715825428]
' AS BLOB));
INSERT INTO batches VALUES (20, 1, 20, CAST('["evt_01m8cg1zrnfvxv1z1x0rg27srz","ws_01m8cg1ehef228h0045vw7rrdc","ad_01m8cg1ke7f228h09mmsynq9he","impression","duplicate","11ac45e4c44ba094",1795715825429]
' AS BLOB));
INSERT INTO batches VALUES (21, 1, 21, CAST('["evt_01m8cg1zrnfvxv1z1x0rg27ss1","ws_01m8cg1ehef228h0045vw7rrdc","ad_01m8cg1pvef228h0ewev94tpp9","impression","duplicate","d8eba00d1caedba6",1795715825429]
' AS BLOB));
INSERT INTO batches VALUES (22, 1, 22, CAST('["evt_01m8cg1zrqenf9644jf1q27abk","ws_01m8cg1ehef228h0045vw7rrdc","ad_01m8cg1ke7f228h09mmsynq9he","impression","duplicate","36090cfb3571f875",1795715825431]
' AS BLOB));
INSERT INTO batches VALUES (23, 1, 23, CAST('["evt_01m8cg1zrrejzr135a308x6mg6","ws_01m8cg1ehef228h0045vw7rrdc","ad_01m8cg1pvef228h0ewev94tpp9","impression","bot","1f766c103f382792",1795715825432]
' AS BLOB));
INSERT INTO batches VALUES (24, 1, 24, CAST('["evt_01m8cg1zrsebttxkk77eyk5fze","ws_01m8cg1ehef228h0045vw7rrdc","ad_01m8cg1ke7f228h09mmsynq9he","impression","prefetch","44eb70f1f10a5d18",1795715825433]
' AS BLOB));
INSERT INTO batches VALUES (25, 1, 25, CAST('["evt_01m8cg1zrvexv9wa0wjx67ab2t","ws_01m8cg1ehef228h0045vw7rrdc","ad_01m8cg1pvef228h0ewev94tpp9","impression","valid","",1795715825435]
' AS BLOB));
INSERT INTO batches VALUES (26, 1, 26, CAST('["evt_01m8cg1zrwfdf83mqs4a0eak6q","ws_01m8cg1ehef228h0045vw7rrdc","ad_01m8cg1pvef228h0ewev94tpp9","impression","duplicate","",1795715825436]
' AS BLOB));
INSERT INTO batches VALUES (27, 1, 27, CAST('["evt_01m8cg2276fp88dhzg86v4c1ms","ws_01m8cg1ehef228h0045vw7rrdc","ad_01m8cg1pvef228h0ewev94tpp9","click","valid","9396bedbe26a6e31",1795715827942]
' AS BLOB));
INSERT INTO batches VALUES (28, 1, 28, CAST('["evt_01m8cg2279fm6aavwmy3hc72dy","ws_01m8cg1ehef228h0045vw7rrdc","ad_01m8cg1ke7f228h09mmsynq9he","click","valid","11ac45e4c44ba094",1795715827945]
' AS BLOB));
INSERT INTO batches VALUES (29, 1, 29, CAST('["evt_01m8cg227kf47sz2g2jfcf6hcz","ws_01m8cg1ehef228h0045vw7rrdc","ad_01m8cg1pvef228h0ewev94tpp9","click","valid","d8eba00d1caedba6",1795715827955]
' AS BLOB));
INSERT INTO batches VALUES (30, 1, 30, CAST('["evt_01m8cg227pewcbr4xw62rddj7v","ws_01m8cg1ehef228h0045vw7rrdc","ad_01m8cg1ke7f228h09mmsynq9he","click","valid","36090cfb3571f875",1795715827958]
' AS BLOB));
INSERT INTO batches VALUES (31, 1, 31, CAST('["evt_01m8cg227wfc1vvwwk5q18cac2","ws_01m8cg1ehef228h0045vw7rrdc","ad_01m8cg1pvef228h0ewev94tpp9","click","valid","992fb9b2aa4ea7b5",1795715827964]
' AS BLOB));
INSERT INTO batches VALUES (32, 1, 32, CAST('["evt_01m8cg2287fzm895zse0q3823n","ws_01m8cg1ehef228h0045vw7rrdc","ad_01m8cg1pvef228h0ewev94tpp9","click","duplicate","9396bedbe26a6e31",1795715827975]
' AS BLOB));
INSERT INTO batches VALUES (33, 1, 33, CAST('["evt_01m8cg2289eavvyhfw6aym6hwr","ws_01m8cg1ehef228h0045vw7rrdc","ad_01m8cg1ke7f228h09mmsynq9he","click","duplicate","11ac45e4c44ba094",1795715827977]
' AS BLOB));
INSERT INTO batches VALUES (34, 1, 34, CAST('["evt_01m8cg228jecvss68bssb505vt","ws_01m8cg1ehef228h0045vw7rrdc","ad_01m8cg1pvef228h0ewev94tpp9","impression","valid","883b1dae8416b7d8",1795715827986]
' AS BLOB));
INSERT INTO batches VALUES (35, 13, 47, CAST('["evt_01m8cg228peqrrm271c8tc69zz","ws_01m8cg1ehef228h0045vw7rrdc","ad_01m8cg1ke7f228h09mmsynq9he","impression","valid","583a63dec9e3477b",1795715827987]
["evt_01m8cg228peqrrm271c8tc6a00","ws_01m8cg1ehef228h0045vw7rrdc","ad_01m8cg1pvef228h0ewev94tpp9","impression","valid","3038aaff6f1a3bbd",1795715827987]
["evt_01m8cg228peqrrm271c8tc6a01","ws_01m8cg1ehef228h0045vw7rrdc","ad_01m8cg1ke7f228h09mmsynq9he","impression","valid","33f32816b715ed02",1795715827987]
["evt_01m8cg228peqrrm271c8tc6a02","ws_01m8cg1ehef228h0045vw7rrdc","ad_01m8cg1pvef228h0ewev94tpp9","impression","valid","543d2536af071485",1795715827987]
["evt_01m8cg228peqrrm271c8tc6a03","ws_01m8cg1ehef228h0045vw7rrdc","ad_01m8cg1ke7f228h09mmsynq9he","impression","valid","9234e501801bc95b",1795715827987]
["evt_01m8cg228peqrrm271c8tc6a04","ws_01m8cg1ehef228h0045vw7rrdc","ad_01m8cg1pvef228h0ewev94tpp9","impression","valid","a42baad3f57e1163",1795715827987]
["evt_01m8cg228peqrrm271c8tc6a05","ws_01m8cg1ehef228h0045vw7rrdc","ad_01m8cg1ke7f228h09mmsynq9he","impression","valid","520f25db75ecb8f8",1795715827987]
["evt_01m8cg228peqrrm271c8tc6a06","ws_01m8cg1ehef228h0045vw7rrdc","ad_01m8cg1pvef228h0ewev94tpp9","impression","valid","21b9f918068d858d",1795715827987]
["evt_01m8cg228peqrrm271c8tc6a07","ws_01m8cg1ehef228h0045vw7rrdc","ad_01m8cg1ke7f228h09mmsynq9he","impression","valid","d3520548ce6305b4",1795715827990]
["evt_01m8cg228peqrrm271c8tc6a08","ws_01m8cg1ehef228h0045vw7rrdc","ad_01m8cg1pvef228h0ewev94tpp9","impression","valid","48a5830c489e9737",1795715827990]
["evt_01m8cg228peqrrm271c8tc6a09","ws_01m8cg1ehef228h0045vw7rrdc","ad_01m8cg1ke7f228h09mmsynq9he","impression","valid","4c8a356edd657f6a",1795715827990]
["evt_01m8cg228peqrrm271c8tc6a0a","ws_01m8cg1ehef228h0045vw7rrdc","ad_01m8cg1pvef228h0ewev94tpp9","impression","valid","2a4042a08b28eddb",1795715827990]
["evt_01m8cg228peqrrm271c8tc6a0b","ws_01m8cg1ehef228h0045vw7rrdc","ad_01m8cg1ke7f228h09mmsynq9he","impression","valid","53ac1e7a0b659885",1795715827990]
' AS BLOB));
INSERT INTO batches VALUES (36, 1, 48, CAST('["evt_01m8cg228xfzxtz304r7yv3hpf","ws_01m8cg1ehef228h0045vw7rrdc","ad_01m8cg1pvef228h0ewev94tpp9","impression","duplicate","883b1dae8416b7d8",1795715827997]
' AS BLOB));
INSERT INTO batches VALUES (37, 1, 49, CAST('["evt_01m8cg228yfmb9bb6debh94mpc","ws_01m8cg1ehef228h0045vw7rrdc","ad_01m8cg1ke7f228h09mmsynq9he","impression","duplicate","583a63dec9e3477b",1795715827998]
' AS BLOB));
INSERT INTO batches VALUES (38, 1, 50, CAST('["evt_01m8cg228zecpbgkf4qcwp2g7s","ws_01m8cg1ehef228h0045vw7rrdc","ad_01m8cg1pvef228h0ewev94tpp9","impression","duplicate","3038aaff6f1a3bbd",1795715827999]
' AS BLOB));
INSERT INTO batches VALUES (39, 1, 51, CAST('["evt_01m8cg2290eska9syjht6hexd8","ws_01m8cg1ehef228h0045vw7rrdc","ad_01m8cg1ke7f228h09mmsynq9he","impression","duplicate","33f32816b715ed02",1795715828000]
' AS BLOB));
INSERT INTO batches VALUES (40, 1, 52, CAST('["evt_01m8cg2292e51r9111vak5eh9e","ws_01m8cg1ehef228h0045vw7rrdc","ad_01m8cg1pvef228h0ewev94tpp9","click","bot","2a7f14782db8e2f0",1795715828002]
' AS BLOB));
INSERT INTO batches VALUES (41, 1, 53, CAST('["evt_01m8cg2296ethvnq7by435br08","ws_01m8cg1ehef228h0045vw7rrdc","ad_01m8cg1ke7f228h09mmsynq9he","click","valid","b8f356b0450af0d2",1795715828006]
' AS BLOB));
INSERT INTO marks VALUES (0, '420f7bcec8a6ca5f', 1, 6, 6, 7, 26, 'events-420f7bcec8a6ca5f:0:01f63a546d10');
PRAGMA application_id = 1347175237;
PRAGMA user_version = 2;
