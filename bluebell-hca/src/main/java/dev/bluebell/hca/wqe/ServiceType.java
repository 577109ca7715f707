package dev.bluebell.hca.wqe;

/**
 * Which addressing a queue's send entries carry behind the control segment; the entry itself does
 * not tell. Mirrors the {@code st} field of {@code mlx5_ifc.h: mlx5_ifc_qpc_bits}.
 */
public enum ServiceType {
  /** Reliable connection: no addressing. */
  RC,
  /** Unreliable connection: no addressing. */
  UC,
  /** Unreliable datagram: an address vector with a queue key. */
  UD,
  /** Initiator of an extended reliable connection: the number of the remote SRQ. */
  XRC,
  /** Dynamically connected initiator: an address vector with a DC key. */
  DCI,
  /** Raw packets: an Ethernet segment. */
  RAW
}
