package dev.bluebell.hca.command;

import dev.bluebell.hca.command.QpCommands.Qpc;
import dev.bluebell.hca.command.QpCommands.QpcExt;
import dev.bluebell.hca.structure.Area;
import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;

/** Commands that move a queue pair from one state to another. */
public final class QpTransitions {
  /** Input of RST2INIT_QP. Mirrors {@code mlx5_ifc.h: mlx5_ifc_rst2init_qp_in_bits} of Linux. */
  public static final class Rst2initQpIn {
    public static final Structure STRUCTURE =
        CommandHeaders.input("rst2init_qp_in", 2176).with("uid@010:16");
    public static final Field QPN = STRUCTURE.field("qpn", 0x048, 24);
    public static final Field OPT_PARAM_MASK = STRUCTURE.field("opt_param_mask", 0x080, 32);
    public static final Field ECE = STRUCTURE.field("ece", 0x0a0, 32);
    public static final Area QPC = STRUCTURE.area("qpc", 0x0c0, Qpc.STRUCTURE);

    private Rst2initQpIn() {}
  }

  /** Input of INIT2INIT_QP. Mirrors {@code mlx5_ifc.h: mlx5_ifc_init2init_qp_in_bits} of Linux. */
  public static final class Init2initQpIn {
    public static final Structure STRUCTURE =
        CommandHeaders.input("init2init_qp_in", 2176)
            .with("uid@010:16 vhca_tunnel_id@020:16 ece@0a0:32");
    public static final Field QPC_EXT = STRUCTURE.field("qpc_ext", 0x040, 1);
    public static final Field QPN = STRUCTURE.field("qpn", 0x048, 24);
    public static final Field OPT_PARAM_MASK = STRUCTURE.field("opt_param_mask", 0x080, 32);
    public static final Area QPC = STRUCTURE.area("qpc", 0x0c0, Qpc.STRUCTURE);
    public static final Area QPC_DATA = STRUCTURE.area("qpc_data", 0x0c0, Qpc.STRUCTURE);
    public static final Field OPT_PARAM_MASK_95_32 =
        STRUCTURE.field("opt_param_mask_95_32", 0x840, 64);
    public static final Area QPC_DATA_EXT = STRUCTURE.area("qpc_data_ext", 0x880, QpcExt.STRUCTURE);

    /** Another name of {@link #QPC_DATA_EXT}. */
    public static final Area QPC_DATA_EXTENSION =
        STRUCTURE.area("qpc_data_extension", 0x880, QpcExt.STRUCTURE);

    private Init2initQpIn() {}
  }

  /** Input of INIT2RTR_QP. Mirrors {@code mlx5_ifc.h: mlx5_ifc_init2rtr_qp_in_bits} of Linux. */
  public static final class Init2rtrQpIn {
    public static final Structure STRUCTURE =
        CommandHeaders.input("init2rtr_qp_in", 2176).with("uid@010:16 ece@0a0:32");
    public static final Field QPN = STRUCTURE.field("qpn", 0x048, 24);
    public static final Field OPT_PARAM_MASK = STRUCTURE.field("opt_param_mask", 0x080, 32);
    public static final Area QPC = STRUCTURE.area("qpc", 0x0c0, Qpc.STRUCTURE);

    private Init2rtrQpIn() {}
  }

  /** Input of RTR2RTS_QP. Mirrors {@code mlx5_ifc.h: mlx5_ifc_rtr2rts_qp_in_bits} of Linux. */
  public static final class Rtr2rtsQpIn {
    public static final Structure STRUCTURE =
        CommandHeaders.input("rtr2rts_qp_in", 2176).with("uid@010:16 ece@0a0:32");
    public static final Field QPN = STRUCTURE.field("qpn", 0x048, 24);
    public static final Field OPT_PARAM_MASK = STRUCTURE.field("opt_param_mask", 0x080, 32);
    public static final Area QPC = STRUCTURE.area("qpc", 0x0c0, Qpc.STRUCTURE);

    private Rtr2rtsQpIn() {}
  }

  /** Input of RTS2RTS_QP. Mirrors {@code mlx5_ifc.h: mlx5_ifc_rts2rts_qp_in_bits} of Linux. */
  public static final class Rts2rtsQpIn {
    public static final Structure STRUCTURE =
        CommandHeaders.input("rts2rts_qp_in", 2176).with("uid@010:16 ece@0a0:32");
    public static final Field QPC_EXT = STRUCTURE.field("qpc_ext", 0x040, 1);
    public static final Field QPN = STRUCTURE.field("qpn", 0x048, 24);
    public static final Field OPT_PARAM_MASK = STRUCTURE.field("opt_param_mask", 0x080, 32);
    public static final Area QPC = STRUCTURE.area("qpc", 0x0c0, Qpc.STRUCTURE);
    public static final Field OPT_PARAM_MASK_95_32 =
        STRUCTURE.field("opt_param_mask_95_32", 0x840, 64);
    public static final Area QPC_DATA_EXT = STRUCTURE.area("qpc_data_ext", 0x880, QpcExt.STRUCTURE);

    private Rts2rtsQpIn() {}
  }

  /** Input of SQERR2RTS_QP. Mirrors {@code mlx5_ifc.h: mlx5_ifc_sqerr2rts_qp_in_bits} of Linux. */
  public static final class Sqerr2rtsQpIn {
    public static final Structure STRUCTURE =
        CommandHeaders.input("sqerr2rts_qp_in", 2176)
            .with("uid@010:16 opt_param_mask@080:32")
            .with("qpc", 0x0c0, Qpc.STRUCTURE);
    public static final Field QPN = STRUCTURE.field("qpn", 0x048, 24);

    private Sqerr2rtsQpIn() {}
  }

  /** Input of 2ERR_QP. Mirrors {@code mlx5_ifc.h: mlx5_ifc_qp_2err_in_bits} of Linux. */
  public static final class Qp2ErrIn {
    public static final Structure STRUCTURE =
        CommandHeaders.input("qp_2err_in", 128).with("uid@010:16");
    public static final Field QPN = STRUCTURE.field("qpn", 0x048, 24);

    private Qp2ErrIn() {}
  }

  /** Input of 2RST_QP. Mirrors {@code mlx5_ifc.h: mlx5_ifc_qp_2rst_in_bits} of Linux. */
  public static final class Qp2rstIn {
    public static final Structure STRUCTURE =
        CommandHeaders.input("qp_2rst_in", 128).with("uid@010:16 vhca_tunnel_id@020:16");
    public static final Field QPN = STRUCTURE.field("qpn", 0x048, 24);

    private Qp2rstIn() {}
  }

  private QpTransitions() {}
}
