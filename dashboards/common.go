package dashboards

import (
	"strings"

	"github.com/grafana/grafana-foundation-sdk/go/cog"
	"github.com/grafana/grafana-foundation-sdk/go/common"
	"github.com/grafana/grafana-foundation-sdk/go/dashboard"
	"github.com/grafana/grafana-foundation-sdk/go/heatmap"
	"github.com/grafana/grafana-foundation-sdk/go/prometheus"
	"github.com/grafana/grafana-foundation-sdk/go/stat"
	"github.com/grafana/grafana-foundation-sdk/go/statetimeline"
	"github.com/grafana/grafana-foundation-sdk/go/table"
	"github.com/grafana/grafana-foundation-sdk/go/timeseries"
	"github.com/grafana/grafana-foundation-sdk/go/units"

	"github.com/firedrill/firedrill/exporter/metric"
)

// tag is on every dashboard; the links between them go by it.
const tag = "firedrill"

// Spans of the grid's 24 columns, and heights of panels.
const (
	whole   = 24
	half    = 12
	third   = 8
	quarter = 6
	sixth   = 4

	tall  = 9
	low   = 8
	small = 4
)

// Colours by what they mean, of Grafana's palette.
const (
	good    = "green"
	neutral = "blue"
	notice  = "yellow"
	warning = "orange"
	bad     = "red"
	off     = "text"
)

// builder makes a dashboard of the classic schema: Grafana provisions no newer
// one from files.
type builder = dashboard.DashboardBuilder //nolint:staticcheck // SA1019: see above

// board begins a dashboard: what all have in common.
func (m maker) board(uid, title, description string) *builder {
	return dashboard.NewDashboardBuilder("firedrill / "+title). //nolint:staticcheck // SA1019: see builder
									Uid(uid).
									Description(description).
									Tags([]string{tag}).
									Timezone("utc").
									Editable().
									Tooltip(dashboard.DashboardCursorSyncCrosshair).
									Time("now-"+metric.Span(m.timeRange()), "now").
									Refresh(metric.Span(m.refresh())).
									Timepicker(dashboard.NewTimePickerBuilder().RefreshIntervals([]string{"1s", "2s", "5s", "10s", "30s", "1m", "5m"})).
									WithVariable(m.chooseSource()).
									Link(dashboard.NewDashboardLinkBuilder("Dashboards").
										Type(dashboard.DashboardLinkTypeDashboards).
										Icon("dashboard").
										Tooltip("The other dashboards, at the same time and for the same service").
										Tags([]string{tag}).
										IncludeVars(true).
										KeepTime(true))
}

// source is the data source that the variable names.
func source() common.DataSourceRef {
	return common.DataSourceRef{Type: cog.ToPtr("prometheus"), Uid: cog.ToPtr("${" + datasourceVariable + "}")}
}

// chooseSource makes the variable for the data source.
func (m maker) chooseSource() cog.Builder[dashboard.VariableModel] {
	return dashboard.NewDatasourceVariableBuilder(datasourceVariable).
		Label("Data source").
		Description("A Prometheus that scrapes firedrill, or the one in it.").
		Type("prometheus")
}

// chooseService makes the variable for the service.
func (m maker) chooseService() cog.Builder[dashboard.VariableModel] {
	query := "label_values(" + metric.LoadBalancerRequests.Name + ", " + metric.Service + ")"
	return dashboard.NewQueryVariableBuilder(serviceVariable).
		Label("Service").
		Description("The service that all panels are about.").
		Datasource(source()).
		Query(dashboard.StringOrMap{String: &query}).
		Definition(query).
		Refresh(dashboard.VariableRefreshOnDashboardLoad).
		Sort(dashboard.VariableSortAlphabeticalAsc)
}

// chooseWindow makes the variable for the window of rates. Its values are on the
// clock of Prometheus, its texts in simulated time where that is another one.
func (m maker) chooseWindow() cog.Builder[dashboard.VariableModel] {
	all, first := m.windows()
	var values []string
	var options []dashboard.VariableOption
	for _, d := range all {
		value := metric.Span(m.clock(d))
		text := value
		if m.Speed != 1 {
			text = metric.Span(d) + " (" + value + ")"
		}
		values = append(values, text+" : "+value)
		options = append(options, option(text, value, d == first))
	}
	query := strings.Join(values, ", ")
	current := options[0]
	for _, o := range options {
		if *o.Selected {
			current = o
		}
	}
	return dashboard.NewCustomVariableBuilder(windowVariable).
		Label("Rates over").
		Description("How much simulated time a rate is over. All hold at least four scrapes and are at most five simulated minutes.").
		Values(dashboard.StringOrMap{String: &query}).
		Options(options).
		Current(current)
}

func option(text, value string, selected bool) dashboard.VariableOption {
	return dashboard.VariableOption{
		Selected: &selected, Text: dashboard.StringOrArrayOfString{String: &text}, Value: dashboard.StringOrArrayOfString{String: &value},
	}
}

// query makes a query over the range in view.
func (m maker) query(legend, expr string) *prometheus.DataqueryBuilder {
	return prometheus.NewDataqueryBuilder().
		Datasource(source()).
		EditorMode(prometheus.QueryEditorModeCode).
		Expr(expr).
		LegendFormat(legend).
		Interval(metric.Span(m.ScrapeInterval)).
		Range()
}

// rows makes a query for the rows of a table: as things are now.
func (m maker) rows(expr string) *prometheus.DataqueryBuilder {
	return m.query("__auto", expr).Format(prometheus.PromQueryFormatTable).Instant()
}

// present makes a query for a figure without a course: what is not there now is
// not shown, however lately it was.
func (m maker) present(legend, expr string) *prometheus.DataqueryBuilder {
	return m.query(legend, expr).Instant()
}

// braces makes a legend of a label's value.
func braces(name string) string { return "{{" + name + "}}" }

// lines makes a panel of lines over time.
func (m maker) lines(title, description, unit string) *timeseries.PanelBuilder {
	return timeseries.NewPanelBuilder().
		Title(title).
		Description(description).
		Datasource(source()).
		Unit(unit).
		Span(half).
		Height(low).
		Min(0).
		LineWidth(2).
		FillOpacity(8).
		GradientMode(common.GraphGradientModeNone).
		DrawStyle(common.GraphDrawStyleLine).
		LineInterpolation(common.LineInterpolationLinear).
		ShowPoints(common.VisibilityModeNever).
		SpanNulls(common.BoolOrFloat64{Bool: cog.ToPtr(false)}).
		ColorScheme(dashboard.NewFieldColorBuilder().Mode(dashboard.FieldColorModeIdPaletteClassic)).
		Legend(legend().Calcs([]string{"lastNotNull"})).
		Tooltip(tooltip())
}

// legend makes a legend below the panel, of entries that are short enough for a
// panel that is a third of 1280 pixels wide.
func legend() *common.VizLegendOptionsBuilder {
	return common.NewVizLegendOptionsBuilder().
		ShowLegend(true).
		DisplayMode(common.LegendDisplayModeList).
		Placement(common.LegendPlacementBottom).
		Calcs([]string{})
}

func tooltip() *common.VizTooltipOptionsBuilder {
	return common.NewVizTooltipOptionsBuilder().Mode(common.TooltipDisplayModeMulti).Sort(common.SortOrderDescending)
}

// stacked makes the lines of a panel areas on top of each other.
func stacked(p *timeseries.PanelBuilder) *timeseries.PanelBuilder {
	return p.
		FillOpacity(40).
		LineWidth(1).
		Stacking(common.NewStackingConfigBuilder().Mode(common.StackingModeNormal).Group("A"))
}

// threshold draws lines at the limits of a panel, where its colours change.
func threshold(p *timeseries.PanelBuilder, steps ...step) *timeseries.PanelBuilder {
	return p.
		Thresholds(limits(steps...)).
		ThresholdsStyle(common.NewGraphThresholdsStyleConfigBuilder().Mode(common.GraphThresholdsStyleModeDashed))
}

// step says from which value on a colour counts.
type step struct {
	from  float64
	color string
}

// limits makes thresholds: the first colour counts from minus infinity on.
func limits(steps ...step) *dashboard.ThresholdsConfigBuilder {
	c := limitsOf(steps...)
	return dashboard.NewThresholdsConfigBuilder().Mode(c.Mode).Steps(c.Steps)
}

func limitsOf(steps ...step) dashboard.ThresholdsConfig {
	all := make([]dashboard.Threshold, len(steps))
	for i, s := range steps {
		all[i] = dashboard.Threshold{Color: s.color}
		if i > 0 {
			all[i].Value = cog.ToPtr(s.from)
		}
	}
	return dashboard.ThresholdsConfig{Mode: dashboard.ThresholdsModeAbsolute, Steps: all}
}

// below colours values under a limit as good.
func below(limit float64, more ...step) []step {
	return append([]step{{color: good}, {limit, warning}}, more...)
}

// figure makes a panel of one number with its course.
func (m maker) figure(title, description, unit string) *stat.PanelBuilder {
	return stat.NewPanelBuilder().
		Title(title).
		Description(description).
		Datasource(source()).
		Unit(unit).
		Span(sixth).
		Height(small).
		GraphMode(common.BigValueGraphModeArea).
		ColorMode(common.BigValueColorModeValue).
		Orientation(common.VizOrientationAuto).
		Thresholds(limits(step{color: neutral})).
		ColorScheme(dashboard.NewFieldColorBuilder().Mode(dashboard.FieldColorModeIdThresholds)).
		ReduceOptions(common.NewReduceDataOptionsBuilder().Calcs([]string{"lastNotNull"}).Values(false))
}

// fact makes a panel of one number, or word, without its course.
func (m maker) fact(title, description, unit string) *stat.PanelBuilder {
	return m.figure(title, description, unit).GraphMode(common.BigValueGraphModeNone)
}

// states makes a panel of what is the case when, a row for each series.
func (m maker) states(title, description string, values ...dashboard.ValueMapping) *statetimeline.PanelBuilder {
	return statetimeline.NewPanelBuilder().
		Title(title).
		Description(description).
		Datasource(source()).
		Unit(units.NoUnit).
		Span(whole).
		Height(low).
		Mappings(values).
		Thresholds(limits(step{color: off})).
		ColorScheme(dashboard.NewFieldColorBuilder().Mode(dashboard.FieldColorModeIdThresholds)).
		ShowValue(common.VisibilityModeAuto).
		MergeValues(true).
		RowHeight(0.8).
		FillOpacity(75).
		LineWidth(0).
		Legend(legend()).
		Tooltip(tooltip())
}

// word is what a value is shown as.
type word struct {
	value, text, color string
}

// say makes the mapping of values to words.
func say(words ...word) dashboard.ValueMapping {
	all := map[string]dashboard.ValueMappingResult{}
	for i, w := range words {
		all[w.value] = dashboard.ValueMappingResult{Text: cog.ToPtr(w.text), Color: cog.ToPtr(w.color), Index: cog.ToPtr(int32(i))}
	}
	return dashboard.ValueMapping{ValueMap: &dashboard.ValueMap{Type: dashboard.MappingTypeValueToText, Options: all}}
}

// onOff is how a switch is shown.
func onOff() dashboard.ValueMapping {
	return say(word{"0", "off", off}, word{"1", "on", neutral})
}

// heat makes a heat map of a classic histogram.
func (m maker) heat(title, description, unit string) *heatmap.PanelBuilder {
	return heatmap.NewPanelBuilder().
		Title(title).
		Description(description).
		Datasource(source()).
		Span(half).
		Height(tall).
		Calculate(false).
		RowsFrame(heatmap.NewRowsHeatmapOptionsBuilder().Layout(common.HeatmapCellLayoutAuto).Value("Requests")).
		YAxis(heatmap.NewYAxisConfigBuilder().Unit(unit).AxisPlacement(common.AxisPlacementLeft)).
		CellValues(heatmap.NewCellValuesBuilder().Unit(units.RequestsPerSecond)).
		Color(heatmap.NewHeatmapColorOptionsBuilder().
			Mode(heatmap.HeatmapColorModeScheme).
			Scheme("Spectral").
			Fill("dark-orange").
			Scale(heatmap.HeatmapColorScaleExponential).
			Exponent(0.4).
			Steps(64).
			Reverse(true)).
		FilterValues(heatmap.NewFilterValueRangeBuilder().Le(1e-9)).
		ShowValue(common.VisibilityModeNever).
		CellGap(1).
		Tooltip(heatmap.NewHeatmapTooltipBuilder().Mode(common.TooltipDisplayModeSingle).YHistogram(true).ShowColorScale(true)).
		ShowLegend().
		ExemplarsColor("rgba(255,0,255,0.7)")
}

// grid makes a table.
func (m maker) grid(title, description string) *table.PanelBuilder {
	return table.NewPanelBuilder().
		Title(title).
		Description(description).
		Datasource(source()).
		Unit(units.NoUnit).
		Span(half).
		Height(low).
		ShowHeader(true).
		CellHeight(common.TableCellHeightSm).
		Align(common.FieldTextAlignmentAuto).
		CellOptions(common.TableCellOptions{TableAutoCellOptions: common.NewTableAutoCellOptions()}).
		Thresholds(limits(step{color: off})).
		Footer(common.NewTableFooterOptionsBuilder().Show(false).Reducer([]string{"sum"}).CountRows(false))
}

// property sets an option of a field.
func property(id string, value any) dashboard.DynamicConfigValue {
	return dashboard.DynamicConfigValue{Id: id, Value: value}
}

// paint sets the colour of a series, or of all parts of a field.
func paint(color string) []dashboard.DynamicConfigValue {
	return []dashboard.DynamicConfigValue{property("color", map[string]string{"mode": "fixed", "fixedColor": color})}
}

// column says how a column of a table is called and shown.
type column struct {
	from       string // name of the label, or of the query's value
	title      string // "" where it is left out
	properties []dashboard.DynamicConfigValue
}

// columns merges the rows of a table's queries and shows these columns, in this
// order.
func columns(p *table.PanelBuilder, all ...column) *table.PanelBuilder {
	exclude, index, rename := map[string]bool{"Time": true}, map[string]int{}, map[string]string{}
	for i, c := range all {
		if c.title == "" {
			exclude[c.from] = true
			continue
		}
		index[c.from], rename[c.from] = i, c.title
		if len(c.properties) > 0 {
			p = p.OverrideByName(c.title, c.properties)
		}
	}
	return p.
		WithTransformation(dashboard.DataTransformerConfig{Id: "merge", Options: map[string]any{}}).
		WithTransformation(dashboard.DataTransformerConfig{Id: "organize", Options: map[string]any{
			"excludeByName": exclude, "indexByName": index, "renameByName": rename,
		}})
}

// sortedBy sorts a table by a column.
func sortedBy(title string, descending bool) []cog.Builder[common.TableSortByFieldState] {
	return []cog.Builder[common.TableSortByFieldState]{common.NewTableSortByFieldStateBuilder().DisplayName(title).Desc(descending)}
}

// valueOf is the name that the value of a table's query has.
func valueOf(query int) string { return "Value #" + string(rune('A'+query)) }

// byCode gives status codes the colours that their meaning has.
func byCode(p *timeseries.PanelBuilder) *timeseries.PanelBuilder {
	for _, c := range []struct{ code, color string }{
		{"200", good}, {"429", neutral}, {"500", bad}, {"502", "purple"}, {"503", "dark-red"}, {"504", warning},
	} {
		p = p.OverrideByName(c.code, paint(c.color))
	}
	return p
}
