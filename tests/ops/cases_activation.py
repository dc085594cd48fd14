from op_cases import table

CASES = table()
