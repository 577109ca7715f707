package dev.bluebell.uverbs.qp;

import dev.bluebell.hca.uverbs.Errno;
import dev.bluebell.hca.uverbs.Mlx5;
import dev.bluebell.hca.uverbs.Verbs;
import dev.bluebell.hca.wqe.ServiceType;
import dev.bluebell.uverbs.call.Refusal;
import java.util.stream.Stream;

/**
 * The types of queue pairs that clients may create. Mirrors {@code rdma/ib_user_ioctl_verbs.h:
 * ib_uverbs_qp_type}.
 */
enum QpType {
  /** Reliable connection. */
  RC(Verbs.QPT_RC, ServiceType.RC),
  /** Unreliable connection. */
  UC(Verbs.QPT_UC, ServiceType.UC),
  /** Unreliable datagram. */
  UD(Verbs.QPT_UD, ServiceType.UD),
  /** Initiator of XRC, which only sends. */
  XRC_INI(Verbs.QPT_XRC_INI, ServiceType.XRC),
  /** Target of XRC, which only receives, into the SRQs that messages name. */
  XRC_TGT(Verbs.QPT_XRC_TGT, ServiceType.XRC),
  /** Dynamically connected initiator, a driver-specific type. */
  DCI(Verbs.QPT_DRIVER, ServiceType.DCI);

  private final int number;
  private final ServiceType service;

  QpType(int number, ServiceType service) {
    this.number = number;
    this.service = service;
  }

  /**
   * The type for a client's number, and for the driver's flags if the number means a
   * driver-specific type.
   *
   * @param flags of {@link dev.bluebell.hca.uverbs.QpAbi.Mlx5CreateQp}
   */
  static QpType of(int number, int flags) {
    if (number == Verbs.QPT_DRIVER) {
      int subtype = flags & (Mlx5.QP_FLAG_TYPE_DCI | Mlx5.QP_FLAG_TYPE_DCT);
      Refusal.require(
          subtype == Mlx5.QP_FLAG_TYPE_DCI,
          Errno.EINVAL,
          "a QP of the driver's type is a DCI (flag 0x20) or a DCT (flag 0x10), but not both: 0x%x",
          subtype);
      return DCI;
    }
    return Stream.of(values())
        .filter(type -> type.number == number)
        .findFirst()
        .orElseThrow(
            () ->
                new Refusal(
                    Errno.EOPNOTSUPP,
                    "QPs of type %s are not supported yet".formatted(Verbs.qpTypeName(number))));
  }

  /** True when it has a send queue. */
  boolean sends() {
    return this != XRC_TGT;
  }

  /** True when it has a receive queue, of its own or shared. */
  boolean receives() {
    return service != ServiceType.XRC;
  }

  /** The device's service type. */
  ServiceType service() {
    return service;
  }
}
