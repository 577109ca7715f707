package dev.bluebell.server.remote;

import dev.bluebell.hca.HcaObject;
import dev.bluebell.server.remote.Message.Request;

/** Handle of an object in the device process. */
final class SocketObject implements HcaObject {
  private final Connection connection;
  private final int handle;
  private final int number;
  private final byte[] output;
  private boolean closed;

  /**
   * @param answer handle, number and output
   */
  SocketObject(Connection connection, Message answer) {
    this.connection = connection;
    handle = answer.takeInt();
    number = answer.takeInt();
    output = answer.takeBytes();
  }

  /** The handle of an object that the same connection created. */
  static int handleOf(Connection connection, HcaObject object) {
    if (object instanceof SocketObject own && own.connection == connection) {
      return own.handle;
    }
    throw new IllegalArgumentException("the object belongs to another device");
  }

  @Override
  public int number() {
    return number;
  }

  @Override
  public byte[] output() {
    return output.clone();
  }

  @Override
  public byte[] modify(byte[] command) {
    return execute(Request.MODIFY, command);
  }

  @Override
  public byte[] query(byte[] command) {
    return execute(Request.QUERY, command);
  }

  private byte[] execute(Request request, byte[] command) {
    return connection.call(Message.of(request).put(handle).put(command)).takeBytes();
  }

  @Override
  public synchronized void close() {
    if (!closed) {
      destroy(connection, handle);
      closed = true;
    }
  }

  /** Destroys the object with a handle; does nothing when the device process has ended. */
  static void destroy(Connection connection, int handle) {
    connection.free(Message.of(Request.DESTROY).put(handle));
  }
}
