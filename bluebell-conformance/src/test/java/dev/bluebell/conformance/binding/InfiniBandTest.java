package dev.bluebell.conformance.binding;

import dev.bluebell.conformance.BenchExtension;
import org.junit.platform.suite.api.ConfigurationParameter;
import org.junit.platform.suite.api.IncludeEngines;
import org.junit.platform.suite.api.SelectPackages;
import org.junit.platform.suite.api.Suite;

/** The suite on a device with an InfiniBand port, which has four LIDs. */
@Suite
@IncludeEngines("junit-jupiter")
@SelectPackages("dev.bluebell.conformance")
@ConfigurationParameter(
    key = BenchExtension.DEVICE,
    value = "soft:link=infiniband,lmc=2,engine=poll")
class InfiniBandTest {}
