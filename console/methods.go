package console

// allMethods are what pages may ask for, by name.
func (s *Server) allMethods() map[string]method {
	return map[string]method{
		"systems":     look(View, s.systems),
		"structure":   look(View, s.structure),
		"read":        look(View, s.read),
		"param":       look(View, s.param),
		"statistics":  look(View, s.statistics),
		"watch":       look(View, s.watch),
		"unwatch":     look(View, s.unwatch),
		"log":         look(View, s.events),
		"types":       look(View, s.types),
		"record.list": look(View, s.listLogs),
		"record.open": look(View, s.openRecord),
		"record.read": look(View, s.readRecord),
		"robot":       look(View, s.robotList),
		"fk":          look(View, s.forward),
		"ik":          look(View, s.inverse),
		"net.get":     look(View, s.getNet),
		"net.check":   look(View, s.checkNet),

		"set":     alter(Tune, s.set),
		"feed":    alter(Tune, s.feed),
		"release": alter(Tune, s.release),
		"reset":   alter(Tune, s.reset),
		"enable":  alter(Tune, s.enable),
		"save":    alter(Tune, s.save),
		"net.put": alter(Tune, s.putNet),

		"widgets":       look(View, s.widgets),
		"panels.list":   look(View, s.listPanels),
		"panels.get":    look(View, s.getPanel),
		"panels.put":    alter(Tune, s.putPanel),
		"panels.remove": alter(Tune, s.removePanel),

		"call":    alter(Drive, s.call),
		"stop":    alter(Drive, s.stop),
		"start":   alter(Drive, s.start),
		"restart": alter(Drive, s.restart),
	}
}
