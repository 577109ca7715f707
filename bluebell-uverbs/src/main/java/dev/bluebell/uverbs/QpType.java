package dev.bluebell.uverbs;

import dev.bluebell.hca.wqe.ServiceType;

/** The types of queue pairs that programs may create. Mirrors {@code ib_verbs.h: ib_qp_type}. */
enum QpType {
  /** Reliable connection. */
  RC(2, ServiceType.RC),
  /** Unreliable connection. */
  UC(3, ServiceType.UC),
  /** Unreliable datagram. */
  UD(4, ServiceType.UD);

  private final int number;
  private final ServiceType service;

  QpType(int number, ServiceType service) {
    this.number = number;
    this.service = service;
  }

  /** The type that a program names by its number. */
  static QpType of(int number) {
    for (QpType type : values()) {
      if (type.number == number) {
        return type;
      }
    }
    throw new Refusal(
        Errno.EOPNOTSUPP, "queue pairs of type %d are not supported yet".formatted(number));
  }

  /** What the device calls the type. */
  ServiceType service() {
    return service;
  }
}
