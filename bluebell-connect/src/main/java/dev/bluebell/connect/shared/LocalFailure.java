package dev.bluebell.connect.shared;

import dev.bluebell.connect.ConnectionException;
import java.net.InetSocketAddress;

/** A connection failed on this side, so another attempt would fail in the same way. */
public final class LocalFailure extends ConnectionException {
  private static final long serialVersionUID = 1;

  public LocalFailure(InetSocketAddress server, Throwable cause) {
    super("can't connect to %s: %s".formatted(server, cause.getMessage()), cause);
  }

  /** Names the public class, because applications do not see this one. */
  @Override
  public String toString() {
    return "%s: %s".formatted(ConnectionException.class.getName(), getMessage());
  }
}
