package dev.bluebell.verbs;

import dev.bluebell.hca.command.PathMtu;
import dev.bluebell.hca.command.QpTimers;
import dev.bluebell.verbs.value.Ranges;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Options of a connection. The defaults are those of perftest. With them, a software device needs
 * about half a second until a request to a peer that does not answer fails.
 *
 * <p>By default a request waits indefinitely for a peer that has no receive posted, because many
 * applications use this as flow control. After a second, a software device reports the wait in its
 * explanations and in {@link QueuePair#diagnose}. {@link #withRnrRetry} makes the request fail
 * instead.
 *
 * @param pathMtu largest packet payload in bytes; 0, the default, for the largest that both ports
 *     support. Both ends need the same value; bluebell-connect over TCP makes them use the smaller
 *     one
 * @param maxReads maximum number of outstanding READs and atomics; 1 … 128, by default 16; the peer
 *     and the device may limit it further
 * @param timeout acknowledge timeout, 4.096 µs · 2^timeout, 0 … 31; 0 for infinite. Default 14,
 *     which is 67 ms
 * @param retryCount retries after a timeout, 0 … 7, by default 7
 * @param rnrRetry retries when the peer has no receive posted, 0 … 7; 7, the default, for unlimited
 * @param minRnrTimer code of the time that the peer waits when no receive is posted here, 0 … 31: 1
 *     for 0.01 ms, 12, the default, for 0.64 ms, 31 for 491.52 ms, 0 for 655.36 ms
 * @param trafficClass traffic class of the packets, 0 … 255, by default 0; on InfiniBand, only
 *     packets with a global route carry one
 * @param serviceLevel service level, by default 0: 0 … 15 on InfiniBand; on Ethernet, where it is
 *     the priority, 0 … 7
 * @param globalRoute InfiniBand: whether packets carry a global route header even when both ports
 *     are in one subnet; by default not. Both ends need the same value. Packets to another subnet
 *     always carry one, and so do all packets on Ethernet
 */
public record ConnectOptions(
    int pathMtu,
    int maxReads,
    int timeout,
    int retryCount,
    int rnrRetry,
    int minRnrTimer,
    int trafficClass,
    int serviceLevel,
    boolean globalRoute) {
  public static final ConnectOptions DEFAULT = new ConnectOptions(0, 16, 14, 7, 7, 12, 0, 0, false);

  /** Checks the ranges. */
  public ConnectOptions {
    if (pathMtu != 0) {
      PathMtu.code(pathMtu);
    }
    Ranges.require("maxReads", maxReads, 1, 128);
    Ranges.require("timeout", timeout, 0, 31);
    Ranges.require("retryCount", retryCount, 0, 7);
    Ranges.require("rnrRetry", rnrRetry, 0, 7);
    Ranges.require("minRnrTimer", minRnrTimer, 0, 31);
    Ranges.require("trafficClass", trafficClass, 0, 255);
    Ranges.require("serviceLevel", serviceLevel, 0, 15);
  }

  /** A mutable copy of the options. */
  private static final class Parts {
    private int pathMtu;
    private int maxReads;
    private int timeout;
    private int retryCount;
    private int rnrRetry;
    private int minRnrTimer;
    private int trafficClass;
    private int serviceLevel;
    private boolean globalRoute;

    Parts(ConnectOptions from) {
      pathMtu = from.pathMtu;
      maxReads = from.maxReads;
      timeout = from.timeout;
      retryCount = from.retryCount;
      rnrRetry = from.rnrRetry;
      minRnrTimer = from.minRnrTimer;
      trafficClass = from.trafficClass;
      serviceLevel = from.serviceLevel;
      globalRoute = from.globalRoute;
    }
  }

  private ConnectOptions with(Consumer<Parts> change) {
    Parts to = new Parts(this);
    change.accept(to);
    return new ConnectOptions(
        to.pathMtu,
        to.maxReads,
        to.timeout,
        to.retryCount,
        to.rnrRetry,
        to.minRnrTimer,
        to.trafficClass,
        to.serviceLevel,
        to.globalRoute);
  }

  /** A copy with another path MTU. */
  public ConnectOptions withPathMtu(int bytes) {
    return with(parts -> parts.pathMtu = bytes);
  }

  /** A copy with another limit on outstanding READs and atomics. */
  public ConnectOptions withMaxReads(int reads) {
    return with(parts -> parts.maxReads = reads);
  }

  /** A copy with another acknowledge timeout. */
  public ConnectOptions withTimeout(int code) {
    return with(parts -> parts.timeout = code);
  }

  /**
   * A copy with the shortest acknowledge timeout of at least the given time.
   *
   * @param time more than 0, at most 2.4 hours
   */
  public ConnectOptions withTimeout(Duration time) {
    return withTimeout(QpTimers.ackCode(TimeUnit.NANOSECONDS.convert(time)));
  }

  /** A copy with another number of retries after a timeout. */
  public ConnectOptions withRetryCount(int count) {
    return with(parts -> parts.retryCount = count);
  }

  /** A copy with another number of retries when the peer has no receive posted. */
  public ConnectOptions withRnrRetry(int count) {
    return with(parts -> parts.rnrRetry = count);
  }

  /** A copy with another time for the peer to wait. */
  public ConnectOptions withMinRnrTimer(int code) {
    return with(parts -> parts.minRnrTimer = code);
  }

  /**
   * A copy with the shortest time for the peer to wait of at least the given time.
   *
   * @param time more than 0, at most 655.36 ms
   */
  public ConnectOptions withMinRnrTimer(Duration time) {
    return withMinRnrTimer(QpTimers.rnrCode(TimeUnit.NANOSECONDS.convert(time)));
  }

  /** A copy with another traffic class. */
  public ConnectOptions withTrafficClass(int value) {
    return with(parts -> parts.trafficClass = value);
  }

  /** A copy with another service level. */
  public ConnectOptions withServiceLevel(int value) {
    return with(parts -> parts.serviceLevel = value);
  }

  /** A copy with or without a global route on InfiniBand. */
  public ConnectOptions withGlobalRoute(boolean on) {
    return with(parts -> parts.globalRoute = on);
  }
}
