package dev.bluebell.hca.wqe;

import org.jspecify.annotations.Nullable;

/**
 * The service of a queue, which determines the addressing behind the control segment of its send
 * entries; the entries themselves do not show it. Mirrors {@code qp.h: MLX5_QP_ST_*} of Linux.
 */
public enum ServiceType {
  /** Reliable connection: no addressing. */
  RC(0),
  /** Unreliable connection: no addressing. */
  UC(1),
  /** Unreliable datagram: an address vector with a queue key. */
  UD(2),
  /** Initiator of an extended reliable connection: the number of the remote SRQ. */
  XRC(3),
  /** Dynamically connected initiator: an address vector with a DC key. */
  DCI(5),
  /** Raw packets: an Ethernet segment. */
  RAW(9);

  private final int code;

  ServiceType(int code) {
    this.code = code;
  }

  /** The {@code st} field of the context of such a queue pair. */
  public int code() {
    return code;
  }

  /** The service with this {@code st}; null for other values. */
  public static @Nullable ServiceType of(int code) {
    for (ServiceType service : values()) {
      if (service.code == code) {
        return service;
      }
    }
    return null;
  }
}
