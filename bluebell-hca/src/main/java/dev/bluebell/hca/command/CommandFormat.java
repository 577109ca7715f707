package dev.bluebell.hca.command;

import dev.bluebell.hca.command.Capabilities.QueryHcaCapIn;
import dev.bluebell.hca.command.Capabilities.QueryHcaCapOut;
import dev.bluebell.hca.command.CommandHeaders.StatusOut;
import dev.bluebell.hca.command.CounterCommands.AllocQCounterIn;
import dev.bluebell.hca.command.CounterCommands.AllocQCounterOut;
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
          Map.entry(
              CommandOpcode.QUERY_HCA_CAP,
              new CommandFormat(QueryHcaCapIn.STRUCTURE, QueryHcaCapOut.STRUCTURE)),
          Map.entry(
              CommandOpcode.QUERY_ADAPTER,
              new CommandFormat(QueryAdapterIn.STRUCTURE, QueryAdapterOut.STRUCTURE)),
          Map.entry(
              CommandOpcode.CREATE_MKEY,
              new CommandFormat(CreateMkeyIn.STRUCTURE, CreateMkeyOut.STRUCTURE)),
          Map.entry(
              CommandOpcode.QUERY_MKEY,
              new CommandFormat(QueryMkeyIn.STRUCTURE, QueryMkeyOut.STRUCTURE)),
          Map.entry(
              CommandOpcode.DESTROY_MKEY,
              new CommandFormat(DestroyMkeyIn.STRUCTURE, StatusOut.STRUCTURE)),
          Map.entry(
              CommandOpcode.QUERY_SPECIAL_CONTEXTS,
              new CommandFormat(
                  QuerySpecialContextsIn.STRUCTURE, QuerySpecialContextsOut.STRUCTURE)),
          Map.entry(
              CommandOpcode.CREATE_EQ,
              new CommandFormat(CreateEqIn.STRUCTURE, CreateEqOut.STRUCTURE)),
          Map.entry(
              CommandOpcode.DESTROY_EQ,
              new CommandFormat(DestroyEqIn.STRUCTURE, StatusOut.STRUCTURE)),
          Map.entry(
              CommandOpcode.QUERY_EQ, new CommandFormat(QueryEqIn.STRUCTURE, QueryEqOut.STRUCTURE)),
          Map.entry(
              CommandOpcode.CREATE_CQ,
              new CommandFormat(CreateCqIn.STRUCTURE, CreateCqOut.STRUCTURE)),
          Map.entry(
              CommandOpcode.DESTROY_CQ,
              new CommandFormat(DestroyCqIn.STRUCTURE, StatusOut.STRUCTURE)),
          Map.entry(
              CommandOpcode.QUERY_CQ, new CommandFormat(QueryCqIn.STRUCTURE, QueryCqOut.STRUCTURE)),
          Map.entry(
              CommandOpcode.MODIFY_CQ,
              new CommandFormat(ModifyCqIn.STRUCTURE, StatusOut.STRUCTURE)),
          Map.entry(
              CommandOpcode.CREATE_QP,
              new CommandFormat(CreateQpIn.STRUCTURE, CreateQpOut.STRUCTURE)),
          Map.entry(
              CommandOpcode.DESTROY_QP,
              new CommandFormat(DestroyQpIn.STRUCTURE, StatusOut.STRUCTURE)),
          Map.entry(
              CommandOpcode.RST2INIT_QP,
              new CommandFormat(Rst2initQpIn.STRUCTURE, Rst2initQpOut.STRUCTURE)),
          Map.entry(
              CommandOpcode.INIT2RTR_QP,
              new CommandFormat(Init2rtrQpIn.STRUCTURE, Init2rtrQpOut.STRUCTURE)),
          Map.entry(
              CommandOpcode.RTR2RTS_QP,
              new CommandFormat(Rtr2rtsQpIn.STRUCTURE, Rtr2rtsQpOut.STRUCTURE)),
          Map.entry(
              CommandOpcode.RTS2RTS_QP,
              new CommandFormat(Rts2rtsQpIn.STRUCTURE, Rts2rtsQpOut.STRUCTURE)),
          Map.entry(
              CommandOpcode.SQERR2RTS_QP,
              new CommandFormat(Sqerr2rtsQpIn.STRUCTURE, StatusOut.STRUCTURE)),
          Map.entry(
              CommandOpcode.QP_2ERR, new CommandFormat(Qp2ErrIn.STRUCTURE, StatusOut.STRUCTURE)),
          Map.entry(
              CommandOpcode.QP_2RST, new CommandFormat(Qp2rstIn.STRUCTURE, StatusOut.STRUCTURE)),
          Map.entry(
              CommandOpcode.QUERY_QP, new CommandFormat(QueryQpIn.STRUCTURE, QueryQpOut.STRUCTURE)),
          Map.entry(
              CommandOpcode.SQD2RTS_QP,
              new CommandFormat(Sqd2rtsQpIn.STRUCTURE, StatusOut.STRUCTURE)),
          Map.entry(
              CommandOpcode.INIT2INIT_QP,
              new CommandFormat(Init2initQpIn.STRUCTURE, Init2initQpOut.STRUCTURE)),
          Map.entry(
              CommandOpcode.CREATE_PSV,
              new CommandFormat(CreatePsvIn.STRUCTURE, CreatePsvOut.STRUCTURE)),
          Map.entry(
              CommandOpcode.ARM_RQ, new CommandFormat(ArmRqIn.STRUCTURE, StatusOut.STRUCTURE)),
          Map.entry(
              CommandOpcode.CREATE_XRC_SRQ,
              new CommandFormat(CreateXrcSrqIn.STRUCTURE, CreateXrcSrqOut.STRUCTURE)),
          Map.entry(
              CommandOpcode.DESTROY_XRC_SRQ,
              new CommandFormat(DestroyXrcSrqIn.STRUCTURE, StatusOut.STRUCTURE)),
          Map.entry(
              CommandOpcode.QUERY_XRC_SRQ,
              new CommandFormat(QueryXrcSrqIn.STRUCTURE, QueryXrcSrqOut.STRUCTURE)),
          Map.entry(
              CommandOpcode.ARM_XRC_SRQ,
              new CommandFormat(ArmXrcSrqIn.STRUCTURE, StatusOut.STRUCTURE)),
          Map.entry(
              CommandOpcode.CREATE_DCT,
              new CommandFormat(CreateDctIn.STRUCTURE, CreateDctOut.STRUCTURE)),
          Map.entry(
              CommandOpcode.DRAIN_DCT,
              new CommandFormat(DrainDctIn.STRUCTURE, StatusOut.STRUCTURE)),
          Map.entry(
              CommandOpcode.DESTROY_DCT,
              new CommandFormat(DestroyDctIn.STRUCTURE, StatusOut.STRUCTURE)),
          Map.entry(
              CommandOpcode.ARM_DCT_FOR_KEY_VIOLATION,
              new CommandFormat(ArmDctIn.STRUCTURE, StatusOut.STRUCTURE)),
          Map.entry(
              CommandOpcode.QUERY_DCT,
              new CommandFormat(QueryDctIn.STRUCTURE, QueryDctOut.STRUCTURE)),
          Map.entry(
              CommandOpcode.CREATE_XRQ,
              new CommandFormat(CreateXrqIn.STRUCTURE, CreateXrqOut.STRUCTURE)),
          Map.entry(
              CommandOpcode.DESTROY_XRQ,
              new CommandFormat(DestroyXrqIn.STRUCTURE, StatusOut.STRUCTURE)),
          Map.entry(
              CommandOpcode.QUERY_XRQ,
              new CommandFormat(QueryXrqIn.STRUCTURE, QueryXrqOut.STRUCTURE)),
          Map.entry(
              CommandOpcode.ARM_XRQ, new CommandFormat(ArmXrqIn.STRUCTURE, StatusOut.STRUCTURE)),
          Map.entry(
              CommandOpcode.QUERY_NIC_VPORT_CONTEXT,
              new CommandFormat(
                  QueryNicVportContextIn.STRUCTURE, QueryNicVportContextOut.STRUCTURE)),
          Map.entry(
              CommandOpcode.QUERY_ROCE_ADDRESS,
              new CommandFormat(QueryRoceAddressIn.STRUCTURE, QueryRoceAddressOut.STRUCTURE)),
          Map.entry(
              CommandOpcode.QUERY_HCA_VPORT_CONTEXT,
              new CommandFormat(
                  QueryHcaVportContextIn.STRUCTURE, QueryHcaVportContextOut.STRUCTURE)),
          Map.entry(
              CommandOpcode.QUERY_HCA_VPORT_GID,
              new CommandFormat(QueryHcaVportGidIn.STRUCTURE, QueryHcaVportGidOut.STRUCTURE)),
          Map.entry(
              CommandOpcode.QUERY_HCA_VPORT_PKEY,
              new CommandFormat(QueryHcaVportPkeyIn.STRUCTURE, QueryHcaVportPkeyOut.STRUCTURE)),
          Map.entry(
              CommandOpcode.MAD_IFC, new CommandFormat(MadIfcIn.STRUCTURE, MadIfcOut.STRUCTURE)),
          Map.entry(
              CommandOpcode.ATTACH_TO_MCG,
              new CommandFormat(AttachToMcgIn.STRUCTURE, StatusOut.STRUCTURE)),
          Map.entry(
              CommandOpcode.DETACH_FROM_MCG,
              new CommandFormat(DetachFromMcgIn.STRUCTURE, StatusOut.STRUCTURE)),
          Map.entry(
              CommandOpcode.QUERY_VPORT_COUNTER,
              new CommandFormat(QueryVportCounterIn.STRUCTURE, QueryVportCounterOut.STRUCTURE)),
          Map.entry(
              CommandOpcode.ALLOC_Q_COUNTER,
              new CommandFormat(AllocQCounterIn.STRUCTURE, AllocQCounterOut.STRUCTURE)),
          Map.entry(
              CommandOpcode.QUERY_Q_COUNTER,
              new CommandFormat(QueryQCounterIn.STRUCTURE, QueryQCounterOut.STRUCTURE)),
          Map.entry(
              CommandOpcode.ALLOC_PD, new CommandFormat(AllocPdIn.STRUCTURE, AllocPdOut.STRUCTURE)),
          Map.entry(
              CommandOpcode.DEALLOC_PD,
              new CommandFormat(DeallocPdIn.STRUCTURE, StatusOut.STRUCTURE)),
          Map.entry(
              CommandOpcode.ALLOC_MEMIC,
              new CommandFormat(AllocMemicIn.STRUCTURE, AllocMemicOut.STRUCTURE)),
          Map.entry(
              CommandOpcode.DEALLOC_MEMIC,
              new CommandFormat(DeallocMemicIn.STRUCTURE, StatusOut.STRUCTURE)),
          Map.entry(
              CommandOpcode.ALLOC_UAR,
              new CommandFormat(AllocUarIn.STRUCTURE, AllocUarOut.STRUCTURE)),
          Map.entry(
              CommandOpcode.DEALLOC_UAR,
              new CommandFormat(DeallocUarIn.STRUCTURE, StatusOut.STRUCTURE)),
          Map.entry(
              CommandOpcode.ALLOC_XRCD,
              new CommandFormat(AllocXrcdIn.STRUCTURE, AllocXrcdOut.STRUCTURE)),
          Map.entry(
              CommandOpcode.DEALLOC_XRCD,
              new CommandFormat(DeallocXrcdIn.STRUCTURE, StatusOut.STRUCTURE)),
          Map.entry(
              CommandOpcode.ALLOC_TRANSPORT_DOMAIN,
              new CommandFormat(
                  AllocTransportDomainIn.STRUCTURE, AllocTransportDomainOut.STRUCTURE)),
          Map.entry(
              CommandOpcode.QUERY_LAG,
              new CommandFormat(QueryLagIn.STRUCTURE, QueryLagOut.STRUCTURE)),
          Map.entry(
              CommandOpcode.CREATE_SQ,
              new CommandFormat(CreateSqIn.STRUCTURE, CreateSqOut.STRUCTURE)),
          Map.entry(
              CommandOpcode.CREATE_RMP,
              new CommandFormat(CreateRmpIn.STRUCTURE, CreateRmpOut.STRUCTURE)),
          Map.entry(
              CommandOpcode.MODIFY_RMP,
              new CommandFormat(ModifyRmpIn.STRUCTURE, StatusOut.STRUCTURE)),
          Map.entry(
              CommandOpcode.DESTROY_RMP,
              new CommandFormat(DestroyRmpIn.STRUCTURE, StatusOut.STRUCTURE)),
          Map.entry(
              CommandOpcode.QUERY_RMP,
              new CommandFormat(QueryRmpIn.STRUCTURE, QueryRmpOut.STRUCTURE)),
          Map.entry(
              CommandOpcode.CREATE_TIS,
              new CommandFormat(CreateTisIn.STRUCTURE, CreateTisOut.STRUCTURE)),
          Map.entry(
              CommandOpcode.QUERY_TIS,
              new CommandFormat(QueryTisIn.STRUCTURE, QueryTisOut.STRUCTURE)),
          Map.entry(
              CommandOpcode.CREATE_GENERAL_OBJECT,
              new CommandFormat(GeneralObjInCmdHdr.STRUCTURE, GeneralObjOutCmdHdr.STRUCTURE)),
          Map.entry(
              CommandOpcode.CREATE_UMEM,
              new CommandFormat(CreateUmemIn.STRUCTURE, CreateUmemOut.STRUCTURE)),
          Map.entry(
              CommandOpcode.DESTROY_UMEM,
              new CommandFormat(DestroyUmemIn.STRUCTURE, StatusOut.STRUCTURE)));

  /**
   * The layout of the command with this opcode; empty for commands that Bluebell has no layout of.
   */
  public static Optional<CommandFormat> of(int opcode) {
    return Optional.ofNullable(BY_OPCODE.get(opcode));
  }
}
