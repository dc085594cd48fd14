"""What the readers of text corpora give for small files of the corpora's forms; for Paddle 1.8.5 and 2.6.2."""

from __future__ import annotations

import gzip
import importlib
import io
import os
import pickle
import re
import sys
import tarfile
import tempfile
import types
import zipfile
from typing import Any, Callable

import numpy as np

paddle: Any = None  # the wheel's, or ours: set by `use`

WHEELS = ("1.8.5", "2.6.2")

REVIEWS = {
    "train/pos/0_9": b"A good film. Really, a GOOD film!\n",
    "train/pos/1_8": b"a film: good\r\n",
    "train/neg/0_2": b"a bad film; don't\n",
    "train/unsup/0_0": b"nobody reads this",
    "test/pos/0_9": b"good, good a\n",
    "test/neg/0_1": b"bad bad bad film",
}
SENTENCES = {"train": b" the cat sat \n the dog <unk> the cat\n\n", "valid": b" a dog sat\n the cat\n", "test": b" the mouse\n"}
MOVIES = "1::Toy Story (1995)::Animation|Comedy\n2::Gar\xe7on! (1983)::Comedy\n5::Toy (2000)::Drama\n"
USERS = "1::F::1::10::48067\n2::M::56::16::70072\n"
RATINGS = "".join("%d::%d::%d::978300760\n" % (1 + k % 2, (1, 2, 5)[k % 3], 1 + k % 5) for k in range(24))
WORDS = ("The", "cat", "chased", "mice", "", "Dogs", "sleep", "and", "dream", "a", "lot", "", "Hm", "", "Run", "")
PROPS = (
    "- (A0*", "- *)", "chase (V*)", "- (A1*)", "",
    "- (A0*) (A0*)", "sleep (V*) *", "- * *", "dream * (V*)", "- * (AM-EXT*", "- * *)", "",
    "- ", "",
    "run (V*)", "",
)  # fmt: skip
PAIRS = {
    "train": "a cat sleeps\teine Katze schl\xe4ft\na cat\teine Katze\nno tabulator\na b\tc d\te f\na dog\tein Hund\n",
    "test": "a cat barks\tein Hund bellt\n",
    "gen": "a " * 79 + "\tx\na " * 2 + "\tx\n",
    "val": "dog a\tHund eine\n",
}
ANSWERS = "".join(
    "%d qid:%d %s #docid = %d\n" % (relevance, question, " ".join("%d:0.%d" % (k + 1, (k * 7 + place) % 9) for k in range(46)), place)
    for place, (question, relevance) in enumerate(((10, 0), (10, 2), (10, 1), (10, 0), (11, 0), (11, 0), (12, 1), (12, 1), (12, 2)))
)
OPINIONS = {
    "neg/cv001": "a bad film , isn't it ?!\nbad .",
    "neg/cv000": "the plot : bad , bad",
    "pos/cv000": "a film ! ( good )",
    "pos/cv001": "the best film -- really",
    "neg/cv002": "odd one",
}
HOUSES = np.arange(140).reshape(10, 14) % 17 * 0.5 + np.arange(10)[:, None]


def use(module: Any) -> None:
    """Say which Paddle the cases run on."""
    global paddle
    paddle = module


def _archive(path: str, members: dict[str, bytes]) -> str:
    with tarfile.open(path, "w:gz") as archive:
        for name, content in members.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(content)
            archive.addfile(entry, io.BytesIO(content))
    return path


def write(folder: str) -> dict[str, str]:
    """The corpora's files; what an address ends with -> path."""
    at = lambda name: os.path.join(folder, name)  # noqa: E731
    files = {
        "aclImdb_v1.tar.gz": _archive(at("imdb"), {f"aclImdb/{name}.txt": text for name, text in REVIEWS.items()}),
        "simple-examples.tgz": _archive(at("ptb"), {f"./simple-examples/data/ptb.{name}.txt": text for name, text in SENTENCES.items()}),
        "ml-1m.zip": at("ml-1m.zip"),
        "conll05st-tests.tar.gz": _archive(
            at("conll05"),
            {
                "conll05st-release/test.wsj/words/test.wsj.words.gz": gzip.compress("\n".join(WORDS).encode()),
                "conll05st-release/test.wsj/props/test.wsj.props.gz": gzip.compress("\n".join(PROPS).encode()),
            },
        ),
        "wmt14.tgz": _archive(
            at("wmt14"),
            {
                "wmt14/src.dict": b"<s>\n<e>\n<unk>\na\ncat\ndog\n",
                "wmt14/trg.dict": "<s>\n<e>\n<unk>\neine\nKatze\nschl\xe4ft\n".encode(),
                **{f"wmt14/{name}/{name}": text.encode() for name, text in PAIRS.items()},
            },
        ),
        "wmt16.tar.gz": _archive(at("wmt16.tgz"), {f"wmt16/{name}": text.encode() for name, text in PAIRS.items()}),
    }
    with zipfile.ZipFile(files["ml-1m.zip"], "w") as archive:
        for name, text in (("movies", MOVIES), ("users", USERS), ("ratings", RATINGS)):
            archive.writestr(f"ml-1m/{name}.dat", text.encode("latin"))
    files["movie_reviews.zip"] = at("corpora/movie_reviews.zip")
    os.makedirs(at("corpora"), exist_ok=True)
    with zipfile.ZipFile(files["movie_reviews.zip"], "w") as archive:
        for name, text in OPINIONS.items():
            archive.writestr(f"movie_reviews/{name}.txt", text)
    plain = {
        "wordDict.txt": "the\ncat\nchased\ndogs\nDogs\nsleep\nRun\nbos\neos\n",
        "verbDict.txt": "chase\nsleep\nrun\n",
        "targetDict.txt": "B-A0\nI-A0\nB-A1\nI-A1\nB-V\nI-V\nB-AM-EXT\nI-AM-EXT\nO\n",
        "emb": "0.5 0.25\n",
        "housing.data": "\n".join(" ".join(map(str, row)) for row in HOUSES),
    }
    for name, text in plain.items():
        files[name] = at(name)
        with open(at(name), "w") as file:
            file.write(text)
    os.makedirs(at("wmt16"), exist_ok=True)
    os.makedirs(at("MQ2007/MQ2007/Fold1"), exist_ok=True)
    for name, text in (("train", ANSWERS), ("test", ANSWERS[: ANSWERS.index("2 qid:12")])):
        with open(at(f"MQ2007/MQ2007/Fold1/{name}.txt"), "w") as file:
            file.write(text)
    files["7b6dbbe2-842c-11e4-a536-bcaec51b9163_MQ2007.rar"] = at("MQ2007.rar")
    return files


def _plain(value: Any) -> Any:
    """Lists, with words as text."""
    if isinstance(value, np.ndarray):
        return [str(value.dtype), value.tolist()]
    if isinstance(value, dict):
        return [[_plain(key), _plain(each)] for key, each in value.items()]
    if isinstance(value, (list, tuple)):
        return [_plain(each) for each in value]
    return f"bytes {value.decode()}" if isinstance(value, bytes) else value


def _named(sample: Any, names: dict[int, dict[int, str]]) -> Any:
    """A sample with names where numbers are places in sets."""
    listed = [each.tolist() if isinstance(each, np.ndarray) else each for each in sample]
    return [[names[at][number] for number in each] if at in names else each for at, each in enumerate(listed)]


def _inverse(numbers: dict[Any, int]) -> dict[int, Any]:
    return {number: name for name, number in numbers.items()}


def _outcome(call: Callable[[], Any]) -> Any:
    try:
        return _plain(call())
    except Exception as error:
        return f"{type(error).__name__}"


def readers(files: dict[str, str]) -> dict[str, Any]:
    """What `paddle.dataset` gives."""
    names = ("common", "imdb", "imikolov", "movielens", "conll05", "wmt14", "wmt16", "uci_housing")
    home = f"{paddle.__name__}.dataset"
    common, imdb, ptb, films, conll, wmt14, wmt16, housing = (importlib.import_module(f"{home}.{name}") for name in names)
    common.download = lambda url, module, md5, name=None: files[name or re.split("/|%2F", url)[-1]]
    common.DATA_HOME = os.path.dirname(files["emb"])
    found: dict[str, Any] = {}
    words = imdb.build_dict(re.compile(r"aclImdb/((train)|(test))/((pos)|(neg))/.*\.txt$"), 1)
    found["imdb"] = [words, list(imdb.train(words)()), list(imdb.test(words)()), list(imdb.tokenize(re.compile("aclImdb/train/neg")))]
    words = ptb.build_dict(1)
    kinds = ((3, ptb.DataType.NGRAM), (0, ptb.DataType.SEQ), (4, ptb.DataType.SEQ))
    found["imikolov"] = [words, [[list(make(words, *kind)()) for kind in kinds] for make in (ptb.train, ptb.test)]]
    found["imikolov wrong"] = [_outcome(lambda kind=kind: list(ptb.train(words, *kind)())) for kind in ((-1, 1), (2, 3))]
    named = {5: _inverse(films.movie_categories()), 6: _inverse(films.get_movie_title_dict())}
    found["movielens"] = [[_named(sample, named) for sample in make()()] for make in (films.train, films.test)]
    found["movielens drawn"] = [list(map(len, (list(films.test(test_ratio=0.5, rand_seed=3)()), list(films.train(test_ratio=0.5)()))))]
    found["movielens all"] = [
        sorted(films.movie_categories()), sorted(films.get_movie_title_dict()),
        films.max_movie_id(), films.max_user_id(), films.max_job_id(),
        {key: str(each) for key, each in films.user_info().items()}, {key: str(each) for key, each in films.movie_info().items()},
        films.user_info()[2].value(), films.age_table,
    ]  # fmt: skip
    found["movielens next draw"] = np.random.random()
    dicts = conll.get_dict()
    found["conll05"] = [dicts[:2], sorted(dicts[2]), dicts[2]["O"], [_named(each, {8: _inverse(dicts[2])}) for each in conll.test()()]]
    found["wmt14"] = [wmt14.get_dict(5), wmt14.get_dict(5, False), *(list(make(5)()) for make in (wmt14.train, wmt14.test, wmt14.gen))]
    found["wmt16"] = [list(make(*sizes)()) for make in (wmt16.train, wmt16.test, wmt16.validation) for sizes in ((5, 6), (99, 99, "de"))]
    found["wmt16 words"] = [wmt16.get_dict("en", 5), wmt16.get_dict("de", 6, True), _outcome(lambda: wmt16.get_dict("en", 7))]
    found["wmt16 wrong"] = _outcome(lambda: wmt16.train(5, 5, "fr"))
    found["uci_housing"] = [list(housing.train()()), list(housing.test()()), housing.predict_reader(), housing.feature_names]
    return {name: _plain(value) for name, value in found.items()}


def ranked(files: dict[str, str]) -> dict[str, Any]:
    """What `paddle.dataset.mq2007` of 1.8 gives, with its archive unpacked."""
    letor = importlib.import_module(f"{paddle.__name__}.dataset.mq2007")
    for module in (letor, importlib.import_module(f"{paddle.__name__}.dataset.common")):
        module.download = lambda url, module, md5, name=None: files[url.split("/")[-1]]
    if not hasattr(letor, "_unpacked"):  # the wheel unpacks each time, with a package that it may not have
        letor.__initialize_meta_info__ = lambda: os.path.dirname(files["emb"])
    found: dict[str, Any] = {}
    for kind in ("plain_txt", "pointwise", "pairwise", "listwise", "other"):
        found[kind] = [list(make(format=kind)) for make in (letor.train, letor.test)]
    found["default"] = len(list(letor.train()))
    lists = letor.load_from_text("MQ2007/MQ2007/Fold1/train.txt")
    found["lists"] = [[each.query_id, len(each), each[0].description, str(each[-1])] for each in lists]
    found["kept"] = [each.query_id for each in letor.query_filter(lists)]
    found["all"] = [[row[:2] for row in letor.gen_plain_txt(list(lists[0]))], [row[0] for row in letor.gen_point(lists[2])]]
    found["query"] = [str(letor.Query()), letor.Query().feature_vector, letor.Query(3, 1, [2.0], "d").description, len(letor.QueryList())]
    wrong = (lambda: letor.QueryList([letor.Query(1), letor.Query(2)]), lambda: lists[0]._add_query(letor.Query(2)))
    found["wrong"] = [_outcome(call) for call in wrong]
    return {name: _plain(value) for name, value in found.items()}


def opinions(files: dict[str, str]) -> dict[str, Any]:
    """What `paddle.dataset.sentiment` of 1.8 gives; the wheel reads the corpus with NLTK, for which what it is here stands in."""
    kept, corpus = {}, types.ModuleType("nltk.corpus")
    kept["nltk"], kept["nltk.corpus"] = nltk, _ = types.ModuleType("nltk"), corpus

    class Reviews:
        categories = staticmethod(lambda: ["neg", "pos"])
        fileids = staticmethod(lambda kind: sorted(f"{name}.txt" for name in OPINIONS if name.startswith(kind)))
        words = staticmethod(lambda name: re.findall(r"\w+|[^\w\s]+", OPINIONS[name[:-4]]))

    corpus.movie_reviews = Reviews  # type: ignore[attr-defined]
    nltk.corpus, nltk.data = corpus, types.SimpleNamespace(path=[])  # type: ignore[attr-defined]
    sys.modules.update(kept)
    try:
        reviews = importlib.import_module(f"{paddle.__name__}.dataset.sentiment")
    finally:
        for name in kept:
            del sys.modules[name]
    importlib.import_module(f"{paddle.__name__}.dataset.common").download = lambda url, module, md5sum, save_name: files[save_name]
    importlib.import_module(f"{paddle.__name__}.dataset.common").DATA_HOME = os.path.dirname(files["emb"])
    first, reviews.NUM_TRAINING_INSTANCES = reviews.NUM_TRAINING_INSTANCES, 3
    try:
        return {
            "words": _plain(reviews.get_word_dict()), "all": _plain(reviews.load_sentiment_data()),
            "train": _plain(list(reviews.train())), "test": _plain(list(reviews.test())), "sizes": [first, reviews.NUM_TOTAL_INSTANCES],
        }  # fmt: skip
    finally:
        reviews.NUM_TRAINING_INSTANCES = first


def pictures(files: dict[str, str]) -> dict[str, Any]:
    """What `paddle.dataset.image` gives where it needs no OpenCV."""
    image = importlib.import_module(f"{paddle.__name__}.dataset.image")
    colours, grey = np.arange(90).reshape(6, 5, 3), np.arange(30).reshape(5, 6)
    found: dict[str, Any] = {
        "center": [image.center_crop(colours, 3), image.center_crop(grey, 2, False), _outcome(lambda: image.center_crop(grey, 2))],
        "flip": [image.left_right_flip(colours), image.left_right_flip(grey), image.left_right_flip(grey, False)],
        "chw": [image.to_chw(colours), image.to_chw(colours, (1, 2, 0)), _outcome(lambda: image.to_chw(grey))],
    }
    np.random.seed(3)
    found["random"] = [image.random_crop(colours, 2), image.random_crop(grey, 4, False)]
    found["too small"] = _outcome(lambda: image.random_crop(grey, 9, False))
    image.resize_short = lambda im, size: im
    for mean in (None, [1.0, 2.0, 3.0], np.ones((3, 4, 4))):
        found[f"transform {mean if mean is None else np.ndim(mean)}"] = [
            image.simple_transform(colours, 9, 4, train, True, mean) for train in (True, True, True, False)
        ]
    found["transform grey"] = [image.simple_transform(grey, 9, 4, True, False, mean) for mean in (None, [1.0, 2.0, 3.0, 4.0])]
    path = image.batch_images_from_tar(files["wmt16.tar.gz"], "some", {"wmt16/train": 7, "wmt16/val": 9, "no": 1}, 1)
    batches = []
    with open(path) as lines:
        for line in sorted(lines):
            with open(line.strip(), "rb") as stream:
                batches.append(sorted(pickle.load(stream).items()))
    again = image.batch_images_from_tar(files["wmt16.tar.gz"], "some", {})
    found["batches"] = [batches, again == path, os.path.relpath(path, os.path.dirname(files["emb"])).replace(str(os.getpid()), "PID")]
    return {name: _plain(value) for name, value in found.items()}


def datasets(files: dict[str, str]) -> dict[str, Any]:
    """What `paddle.text.datasets` gives."""
    text = paddle.text.datasets
    importlib.import_module(f"{paddle.__name__}.dataset.common").DATA_HOME = os.path.dirname(files["emb"])
    found: dict[str, Any] = {}
    for mode in ("train", "TEST"):
        reviews = text.Imdb(files["aclImdb_v1.tar.gz"], mode, cutoff=1)
        found[f"Imdb {mode}"] = [len(reviews), reviews.word_idx, reviews.docs, reviews.labels, list(reviews), reviews.mode]
        ptb = files["simple-examples.tgz"]
        for kind in (("NGRAM", 3), ("seq", -1), ("SEQ", 4)):
            windows = text.Imikolov(ptb, *kind, mode, min_word_freq=1)
            found[f"Imikolov {mode} {kind}"] = [len(windows), windows.word_idx, list(windows)]
        films = text.Movielens(files["ml-1m.zip"], mode, test_ratio=0.3, rand_seed=2)
        named = {5: _inverse(films.categories_dict), 6: _inverse(films.movie_title_dict)}
        texts = [str(each) for each in films.movie_info.values()]
        found[f"Movielens {mode}"] = [len(films), [_named(each, named) for each in films], texts]
        found[f"Movielens {mode} kinds"] = [each.dtype.str for each in films[0]]
        houses = text.UCIHousing(files["housing.data"], mode)
        found[f"UCIHousing {mode}"] = [len(houses), list(houses)]
    conll = ("conll05st-tests.tar.gz", "wordDict.txt", "verbDict.txt", "targetDict.txt", "emb")
    tagged = text.Conll05st(*(files[name] for name in conll))
    words, verbs, tags = tagged.get_dict()
    found["Conll05st"] = [len(tagged), words, verbs, sorted(tags), [_named(each, {8: _inverse(tags)}) for each in tagged]]
    found["Conll05st parts"] = [tagged.sentences, tagged.predicates, tagged.labels, [each.dtype.str for each in tagged[0]]]
    for mode in ("train", "test", "gen"):
        pairs = text.WMT14(files["wmt14.tgz"], mode, 5)
        found[f"WMT14 {mode}"] = [len(pairs), list(pairs), pairs.get_dict(), pairs.get_dict(reverse=True)]
    for mode, sizes in (("train", (5, 6)), ("test", (7, 7, "de")), ("val", (99, 99))):
        pairs = text.WMT16(files["wmt16.tar.gz"], mode, *sizes)
        found[f"WMT16 {mode}"] = [len(pairs), list(pairs), pairs.get_dict("en"), pairs.get_dict("de", True), pairs.src_dict_size]
    wrong: tuple[Callable[[], Any], ...] = (
        lambda: text.Imdb(files["aclImdb_v1.tar.gz"], "val"),
        lambda: text.Imdb(download=False),
        lambda: text.Imikolov(ptb, "words"),
        lambda: text.Imikolov(ptb, "NGRAM", min_word_freq=1),
        lambda: text.Movielens(mode="gen"),
        lambda: text.UCIHousing(mode="val"),
        lambda: text.Conll05st(download=False),
        lambda: text.WMT14(files["wmt14.tgz"], "val", 3),
        lambda: text.WMT14(files["wmt14.tgz"]),
        lambda: text.WMT16(files["wmt16.tar.gz"], "gen", 3, 3),
        lambda: text.WMT16(files["wmt16.tar.gz"], "val", 3),
    )
    found["wrong"] = [_outcome(call) for call in wrong]
    return {name: _plain(value) for name, value in found.items()}


def recordings(version: str) -> dict[str, Callable[[], Any]]:
    """The files of this wheel."""

    def answers(make: Callable[[dict[str, str]], dict[str, Any]]) -> Any:
        import paddle

        use(paddle)
        with tempfile.TemporaryDirectory() as folder:
            return make(write(folder))

    found: dict[str, Callable[[], Any]] = {f"text_readers_{version}.json": lambda: answers(readers)}
    if version == "1.8.5":
        found["text_ranked_1.8.5.json"] = lambda: answers(ranked)
        found["text_opinions_1.8.5.json"] = lambda: answers(opinions)
    else:
        found["text_pictures_2.6.2.json"] = lambda: answers(pictures)
        found[f"text_datasets_{version}.json"] = lambda: answers(datasets)
    return found
