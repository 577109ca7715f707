package dev.bluebell.softnic.wire;

import dev.bluebell.softnic.engine.Sleep;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** A sleep that an arriving datagram ends, implemented with the JDK only. */
final class ChannelSleep implements Sleep, AutoCloseable {
  private final Selector selector;

  /**
   * @param channel that does not block
   */
  ChannelSleep(DatagramChannel channel) throws IOException {
    selector = Selector.open();
    SelectionKey unused = channel.register(selector, SelectionKey.OP_READ);
  }

  @Override
  public void sleep(long nanos) {
    long millis = TimeUnit.NANOSECONDS.toMillis(nanos);
    if (millis == 0) {
      // A selector can't wait for less than 1 ms. A datagram is noticed after the sleep.
      LockSupport.parkNanos(this, nanos);
      return;
    }
    try {
      int unused = selector.select(millis);
      selector.selectedKeys().clear();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void wake(Thread sleeper) {
    LockSupport.unpark(sleeper);
    Selector unused = selector.wakeup();
  }

  @Override
  public void close() {
    try {
      selector.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
