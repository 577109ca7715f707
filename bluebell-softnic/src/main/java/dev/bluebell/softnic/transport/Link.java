package dev.bluebell.softnic.transport;

import dev.bluebell.hca.Gid;
import org.jspecify.annotations.Nullable;

/** What the transport needs of a fabric. Called by whoever runs the engine. */
public interface Link {

  /** True when packets to this GID can leave the device. */
  boolean reaches(Gid destination);

  /** An entry of the port's GID table; {@link Gid#ZERO} for one that is empty or does not exist. */
  Gid gid(int index);

  /**
   * Payload bytes that one request or response may carry: a multiple of the path MTU, which is
   * {@code 2^logMtu}.
   */
  int burstBytes(int logMtu);

  /**
   * The responder that requests to this queue pair reach at once, in order and without fail; null
   * when they travel.
   */
  @Nullable Responder direct(int destinationQpn);

  /** Carries a request; it may be lost. The request is not used after return. */
  void send(Request request);

  /** Carries a request of an unreliable service; it may be lost. It is not used after return. */
  void sendUnreliable(Request request);

  /** Carries a response; it may be lost. The response is not used after return. */
  void respond(Response response);
}
