#!/bin/sh
# The main job in miniature: a toy language pair, prepared arrays, and two made-up translations measured.
# Shows every command before it runs it. Writes below ./demo, anew each time.
set -eu

run() {
    printf '\n$ %s\n' "$*"
    "$@"
}

rm -rf demo
run redraft toy --pairs 20000 --seed 1 --output demo/toy
printf '\n$ head -3 demo/toy/train.de demo/toy/train.en\n'
head -3 demo/toy/train.de demo/toy/train.en
run redraft prepare --source demo/toy/train.de --reference demo/toy/train.en --output demo/prepared \
    --network-validation 500 --classifier 500 --selection 500
run redraft prepare --source demo/toy/test.de --reference demo/toy/test.en --output demo/prepared-test \
    --vocabulary demo/prepared --no-clean

# Two made-up translations of the test set: a careless one, and one in which a part of its errors is mended.
python scripts/spoil.py --share 0.3 --seed 1 demo/toy/test.en > demo/draft.en
python scripts/spoil.py --share 0.3 --seed 1 --mended 0.4 demo/toy/test.en > demo/refined.en
run redraft evaluate --source demo/toy/test.de --draft demo/draft.en --refined demo/refined.en --reference demo/toy/test.en
