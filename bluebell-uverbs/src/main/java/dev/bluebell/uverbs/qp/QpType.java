package dev.bluebell.uverbs.qp;

import dev.bluebell.hca.wqe.ServiceType;
import dev.bluebell.uverbs.abi.Verbs;
import dev.bluebell.uverbs.call.Errno;
import dev.bluebell.uverbs.call.Refusal;

/**
 * The types of queue pairs that programs may create. Mirrors {@code rdma/ib_user_ioctl_verbs.h:
 * ib_uverbs_qp_type}.
 */
enum QpType {
  /** Reliable connection. */
  RC(Verbs.QPT_RC, ServiceType.RC),
  /** Unreliable connection. */
  UC(Verbs.QPT_UC, ServiceType.UC),
  /** Unreliable datagram. */
  UD(Verbs.QPT_UD, ServiceType.UD);

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
    throw new Refusal(Errno.EOPNOTSUPP, "QPs of type %d are not supported yet".formatted(number));
  }

  /** What the device calls the type. */
  ServiceType service() {
    return service;
  }
}
