package dev.bluebell.hca.command;

import dev.bluebell.hca.command.Capabilities.QueryHcaCapIn;
import dev.bluebell.hca.command.Capabilities.QueryHcaCapOut;
import dev.bluebell.hca.command.CommandHeaders.StatusOut;
import dev.bluebell.hca.command.CounterCommands.AllocQCounterIn;
import dev.bluebell.hca.command.CounterCommands.AllocQCounterOut;
import dev.bluebell.hca.command.CounterCommands.QueryCongStatisticsIn;
import dev.bluebell.hca.command.CounterCommands.QueryCongStatisticsOut;
import dev.bluebell.hca.command.CounterCommands.QueryQCounterIn;
import dev.bluebell.hca.command.CounterCommands.QueryQCounterOut;
import dev.bluebell.hca.command.CounterCommands.QueryVportCounterIn;
import dev.bluebell.hca.command.CounterCommands.QueryVportCounterOut;
import dev.bluebell.hca.command.CqCommands.CreateCqIn;
import dev.bluebell.hca.command.CqCommands.CreateCqOut;
import dev.bluebell.hca.command.CqCommands.DestroyCqIn;
import dev.bluebell.hca.command.CqCommands.ModifyCqIn;
import dev.bluebell.hca.command.CqCommands.QueryCqIn;
import dev.bluebell.hca.command.CqCommands.QueryCqOut;
import dev.bluebell.hca.command.DctCommands.ArmDctIn;
import dev.bluebell.hca.command.DctCommands.CreateDctIn;
import dev.bluebell.hca.command.DctCommands.CreateDctOut;
import dev.bluebell.hca.command.DctCommands.DestroyDctIn;
import dev.bluebell.hca.command.DctCommands.DrainDctIn;
import dev.bluebell.hca.command.DctCommands.QueryDctIn;
import dev.bluebell.hca.command.DctCommands.QueryDctOut;
import dev.bluebell.hca.command.DeviceCommands.QueryAdapterIn;
import dev.bluebell.hca.command.DeviceCommands.QueryAdapterOut;
import dev.bluebell.hca.command.DeviceCommands.QueryLagIn;
import dev.bluebell.hca.command.DeviceCommands.QueryLagOut;
import dev.bluebell.hca.command.DeviceCommands.QuerySpecialContextsIn;
import dev.bluebell.hca.command.DeviceCommands.QuerySpecialContextsOut;
import dev.bluebell.hca.command.DomainCommands.AllocPdIn;
import dev.bluebell.hca.command.DomainCommands.AllocPdOut;
import dev.bluebell.hca.command.DomainCommands.AllocTransportDomainIn;
import dev.bluebell.hca.command.DomainCommands.AllocTransportDomainOut;
import dev.bluebell.hca.command.DomainCommands.AllocUarIn;
import dev.bluebell.hca.command.DomainCommands.AllocUarOut;
import dev.bluebell.hca.command.DomainCommands.AllocXrcdIn;
import dev.bluebell.hca.command.DomainCommands.AllocXrcdOut;
import dev.bluebell.hca.command.DomainCommands.DeallocPdIn;
import dev.bluebell.hca.command.DomainCommands.DeallocUarIn;
import dev.bluebell.hca.command.DomainCommands.DeallocXrcdIn;
import dev.bluebell.hca.command.EqCommands.CreateEqIn;
import dev.bluebell.hca.command.EqCommands.CreateEqOut;
import dev.bluebell.hca.command.EqCommands.DestroyEqIn;
import dev.bluebell.hca.command.EqCommands.QueryEqIn;
import dev.bluebell.hca.command.EqCommands.QueryEqOut;
import dev.bluebell.hca.command.GeneralObjectCommands.GeneralObjInCmdHdr;
import dev.bluebell.hca.command.GeneralObjectCommands.GeneralObjOutCmdHdr;
import dev.bluebell.hca.command.MemoryCommands.AllocMemicIn;
import dev.bluebell.hca.command.MemoryCommands.AllocMemicOut;
import dev.bluebell.hca.command.MemoryCommands.CreateUmemIn;
import dev.bluebell.hca.command.MemoryCommands.CreateUmemOut;
import dev.bluebell.hca.command.MemoryCommands.DeallocMemicIn;
import dev.bluebell.hca.command.MemoryCommands.DestroyUmemIn;
import dev.bluebell.hca.command.MkeyCommands.CreateMkeyIn;
import dev.bluebell.hca.command.MkeyCommands.CreateMkeyOut;
import dev.bluebell.hca.command.MkeyCommands.CreatePsvIn;
import dev.bluebell.hca.command.MkeyCommands.CreatePsvOut;
import dev.bluebell.hca.command.MkeyCommands.DestroyMkeyIn;
import dev.bluebell.hca.command.MkeyCommands.QueryMkeyIn;
import dev.bluebell.hca.command.MkeyCommands.QueryMkeyOut;
import dev.bluebell.hca.command.QpCommands.AttachToMcgIn;
import dev.bluebell.hca.command.QpCommands.CreateQpIn;
import dev.bluebell.hca.command.QpCommands.CreateQpOut;
import dev.bluebell.hca.command.QpCommands.DestroyQpIn;
import dev.bluebell.hca.command.QpCommands.DetachFromMcgIn;
import dev.bluebell.hca.command.QpCommands.QueryQpIn;
import dev.bluebell.hca.command.QpCommands.QueryQpOut;
import dev.bluebell.hca.command.QpTransitions.Init2initQpIn;
import dev.bluebell.hca.command.QpTransitions.Init2initQpOut;
import dev.bluebell.hca.command.QpTransitions.Init2rtrQpIn;
import dev.bluebell.hca.command.QpTransitions.Init2rtrQpOut;
import dev.bluebell.hca.command.QpTransitions.Qp2ErrIn;
import dev.bluebell.hca.command.QpTransitions.Qp2rstIn;
import dev.bluebell.hca.command.QpTransitions.Rst2initQpIn;
import dev.bluebell.hca.command.QpTransitions.Rst2initQpOut;
import dev.bluebell.hca.command.QpTransitions.Rtr2rtsQpIn;
import dev.bluebell.hca.command.QpTransitions.Rtr2rtsQpOut;
import dev.bluebell.hca.command.QpTransitions.Rts2rtsQpIn;
import dev.bluebell.hca.command.QpTransitions.Rts2rtsQpOut;
import dev.bluebell.hca.command.QpTransitions.Sqd2rtsQpIn;
import dev.bluebell.hca.command.QpTransitions.Sqerr2rtsQpIn;
import dev.bluebell.hca.command.RmpCommands.ArmRqIn;
import dev.bluebell.hca.command.RmpCommands.CreateRmpIn;
import dev.bluebell.hca.command.RmpCommands.CreateRmpOut;
import dev.bluebell.hca.command.RmpCommands.DestroyRmpIn;
import dev.bluebell.hca.command.RmpCommands.ModifyRmpIn;
import dev.bluebell.hca.command.RmpCommands.QueryRmpIn;
import dev.bluebell.hca.command.RmpCommands.QueryRmpOut;
import dev.bluebell.hca.command.SqCommands.CreateSqIn;
import dev.bluebell.hca.command.SqCommands.CreateSqOut;
import dev.bluebell.hca.command.SqCommands.CreateTisIn;
import dev.bluebell.hca.command.SqCommands.CreateTisOut;
import dev.bluebell.hca.command.SqCommands.QueryTisIn;
import dev.bluebell.hca.command.SqCommands.QueryTisOut;
import dev.bluebell.hca.command.VportCommands.MadIfcIn;
import dev.bluebell.hca.command.VportCommands.MadIfcOut;
import dev.bluebell.hca.command.VportCommands.QueryHcaVportContextIn;
import dev.bluebell.hca.command.VportCommands.QueryHcaVportContextOut;
import dev.bluebell.hca.command.VportCommands.QueryHcaVportGidIn;
import dev.bluebell.hca.command.VportCommands.QueryHcaVportGidOut;
import dev.bluebell.hca.command.VportCommands.QueryHcaVportPkeyIn;
import dev.bluebell.hca.command.VportCommands.QueryHcaVportPkeyOut;
import dev.bluebell.hca.command.VportCommands.QueryNicVportContextIn;
import dev.bluebell.hca.command.VportCommands.QueryNicVportContextOut;
import dev.bluebell.hca.command.VportCommands.QueryRoceAddressIn;
import dev.bluebell.hca.command.VportCommands.QueryRoceAddressOut;
import dev.bluebell.hca.command.XrcSrqCommands.ArmXrcSrqIn;
import dev.bluebell.hca.command.XrcSrqCommands.CreateXrcSrqIn;
import dev.bluebell.hca.command.XrcSrqCommands.CreateXrcSrqOut;
import dev.bluebell.hca.command.XrcSrqCommands.DestroyXrcSrqIn;
import dev.bluebell.hca.command.XrcSrqCommands.QueryXrcSrqIn;
import dev.bluebell.hca.command.XrcSrqCommands.QueryXrcSrqOut;
import dev.bluebell.hca.command.XrqCommands.ArmXrqIn;
import dev.bluebell.hca.command.XrqCommands.CreateXrqIn;
import dev.bluebell.hca.command.XrqCommands.CreateXrqOut;
import dev.bluebell.hca.command.XrqCommands.DestroyXrqIn;
import dev.bluebell.hca.command.XrqCommands.QueryXrqIn;
import dev.bluebell.hca.command.XrqCommands.QueryXrqOut;
import dev.bluebell.hca.structure.Structure;
import java.util.Map;
import java.util.Optional;

/**
 * Input and output layout of a command.
 *
 * @param input fixed part of the input
 * @param output fixed part of the output
 */
public record CommandFormat(Structure input, Structure output) {
  private static final Map<Integer, CommandFormat> BY_OPCODE =
      Map.ofEntries(
          row(CommandOpcode.QUERY_HCA_CAP, QueryHcaCapIn.STRUCTURE, QueryHcaCapOut.STRUCTURE),
          row(CommandOpcode.QUERY_ADAPTER, QueryAdapterIn.STRUCTURE, QueryAdapterOut.STRUCTURE),
          row(CommandOpcode.CREATE_MKEY, CreateMkeyIn.STRUCTURE, CreateMkeyOut.STRUCTURE),
          row(CommandOpcode.QUERY_MKEY, QueryMkeyIn.STRUCTURE, QueryMkeyOut.STRUCTURE),
          row(CommandOpcode.DESTROY_MKEY, DestroyMkeyIn.STRUCTURE, StatusOut.STRUCTURE),
          row(
              CommandOpcode.QUERY_SPECIAL_CONTEXTS,
              QuerySpecialContextsIn.STRUCTURE,
              QuerySpecialContextsOut.STRUCTURE),
          row(CommandOpcode.CREATE_EQ, CreateEqIn.STRUCTURE, CreateEqOut.STRUCTURE),
          row(CommandOpcode.DESTROY_EQ, DestroyEqIn.STRUCTURE, StatusOut.STRUCTURE),
          row(CommandOpcode.QUERY_EQ, QueryEqIn.STRUCTURE, QueryEqOut.STRUCTURE),
          row(CommandOpcode.CREATE_CQ, CreateCqIn.STRUCTURE, CreateCqOut.STRUCTURE),
          row(CommandOpcode.DESTROY_CQ, DestroyCqIn.STRUCTURE, StatusOut.STRUCTURE),
          row(CommandOpcode.QUERY_CQ, QueryCqIn.STRUCTURE, QueryCqOut.STRUCTURE),
          row(CommandOpcode.MODIFY_CQ, ModifyCqIn.STRUCTURE, StatusOut.STRUCTURE),
          row(CommandOpcode.CREATE_QP, CreateQpIn.STRUCTURE, CreateQpOut.STRUCTURE),
          row(CommandOpcode.DESTROY_QP, DestroyQpIn.STRUCTURE, StatusOut.STRUCTURE),
          row(CommandOpcode.RST2INIT_QP, Rst2initQpIn.STRUCTURE, Rst2initQpOut.STRUCTURE),
          row(CommandOpcode.INIT2RTR_QP, Init2rtrQpIn.STRUCTURE, Init2rtrQpOut.STRUCTURE),
          row(CommandOpcode.RTR2RTS_QP, Rtr2rtsQpIn.STRUCTURE, Rtr2rtsQpOut.STRUCTURE),
          row(CommandOpcode.RTS2RTS_QP, Rts2rtsQpIn.STRUCTURE, Rts2rtsQpOut.STRUCTURE),
          row(CommandOpcode.SQERR2RTS_QP, Sqerr2rtsQpIn.STRUCTURE, StatusOut.STRUCTURE),
          row(CommandOpcode.QP_2ERR, Qp2ErrIn.STRUCTURE, StatusOut.STRUCTURE),
          row(CommandOpcode.QP_2RST, Qp2rstIn.STRUCTURE, StatusOut.STRUCTURE),
          row(CommandOpcode.QUERY_QP, QueryQpIn.STRUCTURE, QueryQpOut.STRUCTURE),
          row(CommandOpcode.SQD2RTS_QP, Sqd2rtsQpIn.STRUCTURE, StatusOut.STRUCTURE),
          row(CommandOpcode.INIT2INIT_QP, Init2initQpIn.STRUCTURE, Init2initQpOut.STRUCTURE),
          row(CommandOpcode.CREATE_PSV, CreatePsvIn.STRUCTURE, CreatePsvOut.STRUCTURE),
          row(CommandOpcode.ARM_RQ, ArmRqIn.STRUCTURE, StatusOut.STRUCTURE),
          row(CommandOpcode.CREATE_XRC_SRQ, CreateXrcSrqIn.STRUCTURE, CreateXrcSrqOut.STRUCTURE),
          row(CommandOpcode.DESTROY_XRC_SRQ, DestroyXrcSrqIn.STRUCTURE, StatusOut.STRUCTURE),
          row(CommandOpcode.QUERY_XRC_SRQ, QueryXrcSrqIn.STRUCTURE, QueryXrcSrqOut.STRUCTURE),
          row(CommandOpcode.ARM_XRC_SRQ, ArmXrcSrqIn.STRUCTURE, StatusOut.STRUCTURE),
          row(CommandOpcode.CREATE_DCT, CreateDctIn.STRUCTURE, CreateDctOut.STRUCTURE),
          row(CommandOpcode.DRAIN_DCT, DrainDctIn.STRUCTURE, StatusOut.STRUCTURE),
          row(CommandOpcode.DESTROY_DCT, DestroyDctIn.STRUCTURE, StatusOut.STRUCTURE),
          row(CommandOpcode.ARM_DCT_FOR_KEY_VIOLATION, ArmDctIn.STRUCTURE, StatusOut.STRUCTURE),
          row(CommandOpcode.QUERY_DCT, QueryDctIn.STRUCTURE, QueryDctOut.STRUCTURE),
          row(CommandOpcode.CREATE_XRQ, CreateXrqIn.STRUCTURE, CreateXrqOut.STRUCTURE),
          row(CommandOpcode.DESTROY_XRQ, DestroyXrqIn.STRUCTURE, StatusOut.STRUCTURE),
          row(CommandOpcode.QUERY_XRQ, QueryXrqIn.STRUCTURE, QueryXrqOut.STRUCTURE),
          row(CommandOpcode.ARM_XRQ, ArmXrqIn.STRUCTURE, StatusOut.STRUCTURE),
          row(
              CommandOpcode.QUERY_NIC_VPORT_CONTEXT,
              QueryNicVportContextIn.STRUCTURE,
              QueryNicVportContextOut.STRUCTURE),
          row(
              CommandOpcode.QUERY_ROCE_ADDRESS,
              QueryRoceAddressIn.STRUCTURE,
              QueryRoceAddressOut.STRUCTURE),
          row(
              CommandOpcode.QUERY_HCA_VPORT_CONTEXT,
              QueryHcaVportContextIn.STRUCTURE,
              QueryHcaVportContextOut.STRUCTURE),
          row(
              CommandOpcode.QUERY_HCA_VPORT_GID,
              QueryHcaVportGidIn.STRUCTURE,
              QueryHcaVportGidOut.STRUCTURE),
          row(
              CommandOpcode.QUERY_HCA_VPORT_PKEY,
              QueryHcaVportPkeyIn.STRUCTURE,
              QueryHcaVportPkeyOut.STRUCTURE),
          row(CommandOpcode.MAD_IFC, MadIfcIn.STRUCTURE, MadIfcOut.STRUCTURE),
          row(CommandOpcode.ATTACH_TO_MCG, AttachToMcgIn.STRUCTURE, StatusOut.STRUCTURE),
          row(CommandOpcode.DETACH_FROM_MCG, DetachFromMcgIn.STRUCTURE, StatusOut.STRUCTURE),
          row(
              CommandOpcode.QUERY_VPORT_COUNTER,
              QueryVportCounterIn.STRUCTURE,
              QueryVportCounterOut.STRUCTURE),
          row(CommandOpcode.ALLOC_Q_COUNTER, AllocQCounterIn.STRUCTURE, AllocQCounterOut.STRUCTURE),
          row(CommandOpcode.QUERY_Q_COUNTER, QueryQCounterIn.STRUCTURE, QueryQCounterOut.STRUCTURE),
          row(
              CommandOpcode.QUERY_CONG_STATISTICS,
              QueryCongStatisticsIn.STRUCTURE,
              QueryCongStatisticsOut.STRUCTURE),
          row(CommandOpcode.ALLOC_PD, AllocPdIn.STRUCTURE, AllocPdOut.STRUCTURE),
          row(CommandOpcode.DEALLOC_PD, DeallocPdIn.STRUCTURE, StatusOut.STRUCTURE),
          row(CommandOpcode.ALLOC_MEMIC, AllocMemicIn.STRUCTURE, AllocMemicOut.STRUCTURE),
          row(CommandOpcode.DEALLOC_MEMIC, DeallocMemicIn.STRUCTURE, StatusOut.STRUCTURE),
          row(CommandOpcode.ALLOC_UAR, AllocUarIn.STRUCTURE, AllocUarOut.STRUCTURE),
          row(CommandOpcode.DEALLOC_UAR, DeallocUarIn.STRUCTURE, StatusOut.STRUCTURE),
          row(CommandOpcode.ALLOC_XRCD, AllocXrcdIn.STRUCTURE, AllocXrcdOut.STRUCTURE),
          row(CommandOpcode.DEALLOC_XRCD, DeallocXrcdIn.STRUCTURE, StatusOut.STRUCTURE),
          row(
              CommandOpcode.ALLOC_TRANSPORT_DOMAIN,
              AllocTransportDomainIn.STRUCTURE,
              AllocTransportDomainOut.STRUCTURE),
          row(CommandOpcode.QUERY_LAG, QueryLagIn.STRUCTURE, QueryLagOut.STRUCTURE),
          row(CommandOpcode.CREATE_SQ, CreateSqIn.STRUCTURE, CreateSqOut.STRUCTURE),
          row(CommandOpcode.CREATE_RMP, CreateRmpIn.STRUCTURE, CreateRmpOut.STRUCTURE),
          row(CommandOpcode.MODIFY_RMP, ModifyRmpIn.STRUCTURE, StatusOut.STRUCTURE),
          row(CommandOpcode.DESTROY_RMP, DestroyRmpIn.STRUCTURE, StatusOut.STRUCTURE),
          row(CommandOpcode.QUERY_RMP, QueryRmpIn.STRUCTURE, QueryRmpOut.STRUCTURE),
          row(CommandOpcode.CREATE_TIS, CreateTisIn.STRUCTURE, CreateTisOut.STRUCTURE),
          row(CommandOpcode.QUERY_TIS, QueryTisIn.STRUCTURE, QueryTisOut.STRUCTURE),
          row(
              CommandOpcode.CREATE_GENERAL_OBJECT,
              GeneralObjInCmdHdr.STRUCTURE,
              GeneralObjOutCmdHdr.STRUCTURE),
          row(CommandOpcode.CREATE_UMEM, CreateUmemIn.STRUCTURE, CreateUmemOut.STRUCTURE),
          row(CommandOpcode.DESTROY_UMEM, DestroyUmemIn.STRUCTURE, StatusOut.STRUCTURE));

  private static Map.Entry<Integer, CommandFormat> row(
      int opcode, Structure input, Structure output) {
    return Map.entry(opcode, new CommandFormat(input, output));
  }

  /**
   * The layout of the command with this opcode; empty for commands without a layout in Bluebell.
   */
  public static Optional<CommandFormat> of(int opcode) {
    return Optional.ofNullable(BY_OPCODE.get(opcode));
  }
}
