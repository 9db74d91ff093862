ALTER TABLE daily{{onCluster}} MODIFY COLUMN verdict
    Enum8('valid' = 1, 'bot' = 2, 'prefetch' = 3, 'duplicate' = 4, 'not_serving' = 5, 'network' = 6, 'unproven' = 7,
        'limited' = 8)
