"""`paddle.fluid.contrib.slim.nas.light_nas_strategy`: a search for a network that evaluates best without computing too much."""

from __future__ import annotations

import logging
import socket
from typing import Any

from paddle_compat._missing import missing
from paddle_compat.base.log_helper import get_logger
from paddle_compat.fluid.contrib.slim.core._context import Context
from paddle_compat.fluid.contrib.slim.core.strategy import Strategy
from paddle_compat.fluid.contrib.slim.nas.controller_server import ControllerServer
from paddle_compat.fluid.contrib.slim.nas.lock import lock, unlock
from paddle_compat.fluid.contrib.slim.nas.search_agent import SearchAgent
from paddle_compat.fluid.executor import Executor

_NAME = "LightNASStrategy"
logger = get_logger("paddle.fluid.contrib.slim.nas.light_nas_strategy", logging.INFO, fmt=f"{_NAME}-%(asctime)s-%(levelname)s: %(message)s")
_TRIES = 100


class LightNASStrategy(Strategy):
    """Trains one network of a SearchSpace after the other, as a controller chooses them, and tells it how good each was.

    Args:
        controller (EvolutionaryController): makes the choices.
        end_epoch (int): the last epoch.
        target_flops (float): how many additions and multiplications a network may take.
        target_latency (float): how long it may take; 0: as long as it does.
        retrain_epoch (int): how many epochs each one is trained for.
        metric_name (str): the evaluation that tells how good it is.
        server_ip (str): the host of the controller; None or "": this one.
        server_port (int): its port.
        is_server (bool): whether the controller is here.
        max_client_num (int): how many processes may wait for an answer.
        search_steps (int): how many networks are to be tried; None: no end.
        key (str): a word for processes that belong together.

    Example:
        >>> from paddle_compat.fluid.contrib.slim.nas import LightNASStrategy
        >>> from paddle_compat.fluid.contrib.slim.searcher import SAController
        >>> strategy = LightNASStrategy(SAController(), end_epoch=10, target_flops=10**6, is_server=True)
        >>> strategy.start_epoch, strategy.end_epoch
        (0, 10)

    Follows Paddle 1.8.
    """

    def __init__(
        self,
        controller: Any = None,
        end_epoch: int = 1000,
        target_flops: float = 629145600,
        target_latency: float = 0,
        retrain_epoch: int = 1,
        metric_name: str = "top1_acc",
        server_ip: str | None = None,
        server_port: int = 0,
        is_server: bool = False,
        max_client_num: int = 100,
        search_steps: int | None = None,
        key: str = "light-nas",
    ) -> None:
        super().__init__(0, end_epoch)
        self._controller, self._max_flops, self._max_latency = controller, target_flops, target_latency
        self._retrain_epoch, self._metric_name = retrain_epoch, metric_name
        self._server_ip, self._server_port, self._is_server = server_ip, server_port, is_server
        self._max_client_num, self._search_steps, self._key = max_client_num, search_steps, key
        self._max_try_times = _TRIES
        self._current_tokens: Any = None
        self._current_reward: float = -1
        self._server: ControllerServer | None = None
        self._search_agent: SearchAgent | None = None

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name not in ("_server", "_search_agent")}  # they hold sockets

    def on_compression_begin(self, context: Context) -> None:
        """Have the controller begin, and listen, where it is here.

        Args:
            context (Context): the state of the training.
        """
        self._current_tokens = context.search_space.init_tokens()
        self._controller.reset(context.search_space.range_table(), self._current_tokens, None)
        if self._is_server:
            self._serve()
        logger.info("self._server_ip: %s; self._server_port: %s", self._server_ip, self._server_port)
        self._search_agent = SearchAgent(self._server_ip or "127.0.0.1", self._server_port, key=self._key)

    def _serve(self) -> None:
        """Listen, unless another process of this machine does already."""
        logger.info("start controller server...")
        # several processes with one port may begin at once
        with open("./slim_LightNASStrategy_controller_server.socket", "a") as file:
            lock(file)
            try:
                if self._server_port and _is_open(self._server_port):
                    return
                self._server = ControllerServer(
                    self._controller, (self._server_ip or "", self._server_port), self._max_client_num, self._search_steps, self._key
                )
                self._server.start()
                self._server_port = self._server.port()
                logger.info("started controller server...")
            finally:
                unlock(file)

    def on_epoch_begin(self, context: Context) -> None:
        """Make the next network, where the former one has been trained.

        Args:
            context (Context): the state of the training.
        """
        if context.epoch_id > self.end_epoch or self._retrain_epoch and (context.epoch_id - self.start_epoch) % self._retrain_epoch:
            return
        logger.info("light nas strategy on_epoch_begin")
        graph = context.eval_graph
        assert graph is not None and context.train_graph is not None and self._search_agent is not None
        for _ in range(self._max_try_times):
            startup, train, test, _, _, train_reader, test_reader = context.search_space.create_net(self._current_tokens)
            graph.program = test
            flops = graph.flops()
            if self._fits(context, flops):
                break
            self._current_tokens = self._search_agent.next_tokens()
        logger.info("try [%s] with flops %s", self._current_tokens, flops)
        context.train_reader, context.eval_reader = train_reader, test_reader
        Executor(context.place).run(startup, scope=context.scope)
        context.train_graph.program = train
        context.optimize_graph = context.train_graph.get_optimize_graph(context.train_optimizer, context.place, context.scope)
        context.skip_training = self._retrain_epoch == 0

    def on_epoch_end(self, context: Context) -> None:
        """Tell how good the network is, where it has been trained, and hear which one is the next.

        Args:
            context (Context): the state of the training.
        """
        if context.epoch_id > self.end_epoch or self._retrain_epoch and (context.epoch_id - self.start_epoch + 1) % self._retrain_epoch:
            return
        assert context.eval_graph is not None and self._search_agent is not None
        flops = context.eval_graph.flops()
        self._current_reward = float(context.eval_results[self._metric_name][-1]) if self._fits(context, flops) else 0.0
        logger.info("reward: %s; flops: %s; tokens: %s", self._current_reward, flops, self._current_tokens)
        self._current_tokens = self._search_agent.update(self._current_tokens, self._current_reward)

    def on_compression_end(self, context: Context) -> None:
        """Listen no more.

        Args:
            context (Context): the state of the training.
        """
        if self._server is not None and self._search_steps is None:
            self._server.close()

    def _fits(self, context: Context, flops: float) -> bool:
        assert context.eval_graph is not None
        if flops > self._max_flops:
            return False
        return self._max_latency <= 0 or context.search_space.get_model_latency(context.eval_graph.program) <= self._max_latency


def _is_open(port: int) -> bool:
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


__all__ = ["LightNASStrategy"]

__getattr__ = missing(__name__)
